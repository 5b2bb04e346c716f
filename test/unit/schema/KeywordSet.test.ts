import { describe, expect, it } from 'vitest';
import { ErrorCode } from '@core/base/ErrorCodes';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonValue } from '@core/json/JsonValue';
import { baselineKeywords } from '@core/schema/BaselineKeywords';
import { KeywordSet } from '@core/schema/KeywordSet';
import { SchemaCompiler } from '@core/schema/SchemaCompiler';
import { type SchemaKeyword, SubschemaForm } from '@core/schema/SchemaKeyword';
import { TypeKeyword } from '@core/schema/TypeKeyword';
import { json } from './support';

describe('KeywordSet', () => {
  it('leaves annotations out at every level and keeps a property that is called description', () => {
    const schema = json({
      type: 'object',
      description: 'root',
      properties: {
        description: { type: 'string', description: 'd' },
        list: { type: 'array', items: { type: 'object', description: 'i', properties: { x: { type: 'null', description: 'x' } } } },
      },
      required: ['description'],
    });
    const bare = baselineKeywords().withoutAnnotations(schema);
    expect(new JsonCodec().stringify(JsonValue.object(bare)).value).toBe('{"type":"object","properties":{"description":{"type":"string"},'
      + '"list":{"type":"array","items":{"type":"object","properties":{"x":{"type":"null"}}}}},"required":["description"]}');
    expect(schema.getString('description')).toBe('root');
  });

  it('is the seam for another profile: its keywords and its strictness decide', () => {
    const lenient = new SchemaCompiler(new KeywordSet(baselineKeywords().keywords, { typeRequired: false }));
    const untyped = json({ type: 'object', properties: { a: { description: 'anything' } } });
    const compiled = lenient.compile(untyped).value;
    expect(compiled.check(json({ a: 5 }))).toEqual([]);
    expect(compiled.checkClosed(json({ a: 5, b: 6 })).map((i) => i.code)).toEqual(['tool_argument_unknown']);
    expect(lenient.compile(json({ properties: {} })).error.code).toBe('schema_root_not_object');
    const withoutItems = baselineKeywords().keywords.filter((keyword) => keyword.name !== 'items');
    const poorer = new SchemaCompiler(new KeywordSet(withoutItems, { typeRequired: true }));
    expect(poorer.compile(json({ type: 'object', items: { type: 'string' } })).error.code).toBe('schema_unsupported_keyword');
  });

  it('REG-04 reports the first refusal of a keyword that finds several', () => {
    const quarrelsome: SchemaKeyword = {
      name: 'description',
      isAnnotation: true,
      subschemas: SubschemaForm.none,
      compile: (_value, site) => {
        site.fail(ErrorCode.schemaInvalidDescription, '$.first', 'first');
        site.fail(ErrorCode.schemaInvalidItems, '$.second', 'second');
        return undefined;
      },
    };
    const set = new KeywordSet([new TypeKeyword(), quarrelsome], { typeRequired: true });
    const error = new SchemaCompiler(set).compile(json({ type: 'object', description: 'd' })).error;
    expect([error.code, error.message]).toEqual(['schema_invalid_description', '$.first: first']);
  });
});
