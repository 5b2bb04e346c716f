import { describe, expect, it } from 'vitest';
import { ErrorLayer } from '@core/base/ErrorCodes';
import { JsonObject } from '@core/json/JsonObject';
import { SchemaCompiler } from '@core/schema/SchemaCompiler';
import { baseline, json, parse, refusal } from './support';

function withProperty(schema: unknown): object {
  return { type: 'object', properties: { a: schema } };
}

describe('SchemaCompiler with the baseline', () => {
  it.each([
    ['no parameters', { type: 'object' }],
    ['empty properties', { type: 'object', properties: {} }],
    ['all seven types', {
      type: 'object',
      properties: Object.fromEntries(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].map((t) => [t, { type: t }])),
    }],
    ['keyword names as property names', withProperty({ type: 'object', properties: { enum: { type: 'string' }, $ref: { type: 'string' } } })],
    ['a required name that is no property', { type: 'object', properties: {}, required: ['b'] }],
    ['an empty required list', { type: 'object', required: [] }],
    ['descriptions at every level', { type: 'object', description: 'r', properties: { a: { type: 'array', description: 'a', items: { type: 'string', description: 'i' } } } }],
  ])('accepts %s', (_name, schema) => {
    expect(refusal(schema)).toBe('ok');
  });

  it.each([
    ['at the root', { type: 'object', additionalProperties: false }, 'additionalProperties', '$.additionalProperties'],
    ['in a property', withProperty({ type: 'string', enum: ['x'] }), 'enum', '$.properties.a.enum'],
    ['in items', withProperty({ type: 'array', items: { type: 'string', minLength: 1 } }), 'minLength', '$.properties.a.items.minLength'],
    ['instead of a type', withProperty({ anyOf: [{ type: 'string' }] }), 'anyOf', '$.properties.a.anyOf'],
    ['misspelt', { type: 'object', require: ['a'] }, 'require', '$.require'],
    ['in another case', { type: 'object', Required: ['a'] }, 'Required', '$.Required'],
  ])('REG-05 refuses an unsupported keyword %s with its path', (_name, schema, keyword, path) => {
    const error = baseline.compile(json(schema)).error;
    expect(error.code).toBe('schema_unsupported_keyword');
    expect(error.layer).toBe(ErrorLayer.config);
    expect(error.message).toContain(`${path}: keyword "${keyword}"`);
    expect(error.details?.get('keyword')).toBe(keyword);
    expect(error.details?.get('path')).toBe(path);
  });

  it.each([
    ['no type at the root', {}, 'schema_type_missing $'],
    ['no type in a property', withProperty({ description: 'anything' }), 'schema_type_missing $.properties.a'],
    ['no type in items', withProperty({ type: 'array', items: {} }), 'schema_type_missing $.properties.a.items'],
    ['an unknown type', withProperty({ type: 'dict' }), 'schema_type_unsupported $.properties.a'],
    ['a type list', withProperty({ type: ['string', 'null'] }), 'schema_type_unsupported $.properties.a'],
    ['a number as type', withProperty({ type: 5 }), 'schema_type_unsupported $.properties.a'],
    ['an inherited name as type', withProperty({ type: 'toString' }), 'schema_type_unsupported $.properties.a'],
    ['a root of another type', { type: 'string' }, 'schema_root_not_object $'],
    ['properties as a list', { type: 'object', properties: [] }, 'schema_invalid_properties $.properties'],
    ['null as a property', withProperty(null), 'schema_invalid_properties $.properties.a'],
    ['a word as a property', withProperty('string'), 'schema_invalid_properties $.properties.a'],
    ['true as a property', withProperty(true), 'schema_invalid_properties $.properties.a'],
    ['a list of items', withProperty({ type: 'array', items: [{ type: 'string' }] }), 'schema_invalid_items $.properties.a.items'],
    ['true as items', withProperty({ type: 'array', items: true }), 'schema_invalid_items $.properties.a.items'],
    ['required true', withProperty({ type: 'string', required: true }), 'schema_invalid_required $.properties.a.required'],
    ['a number in required', { type: 'object', required: ['a', 1] }, 'schema_invalid_required $.required[1]'],
    ['a name twice in required', { type: 'object', required: ['a', 'a'] }, 'schema_invalid_required $.required[1]'],
    ['a number as description', withProperty({ type: 'string', description: 5 }), 'schema_invalid_description $.properties.a.description'],
    ['half a surrogate pair as a property', { type: 'object', properties: { '\ud800': { type: 'string' } } }, 'schema_invalid_properties $.properties'],
    ['half a surrogate pair in required', { type: 'object', required: ['x\udc00'] }, 'schema_invalid_required $.required[0]'],
  ])('REG-04 refuses %s', (_name, schema, expected) => {
    expect(refusal(schema)).toBe(expected);
  });

  it('quotes odd names in a path and cuts long ones', () => {
    expect(refusal({ type: 'object', properties: { 'a.b c': { type: 'x' } } })).toBe('schema_type_unsupported $.properties["a.b c"]');
    const long = baseline.compile(json({ type: 'object', ['k'.repeat(100_000)]: 1 })).error;
    expect(long.message.length).toBeLessThan(500);
  });
});

describe('SchemaCompiler and hostile schemas', () => {
  function nested(levels: number, keyword: 'properties' | 'items'): JsonObject {
    const wrap = (inner: JsonObject): JsonObject => keyword === 'items'
      ? new JsonObject().setString('type', 'array').setObject('items', inner)
      : new JsonObject().setString('type', 'object').setObject('properties', new JsonObject().setObject('a', inner));
    let schema = new JsonObject().setString('type', 'string');
    for (let i = 2; i < levels; i++) schema = wrap(schema);
    return new JsonObject().setString('type', 'object').setObject('properties', new JsonObject().setObject('a', schema));
  }

  it.each(['properties', 'items'] as const)('REG-04 accepts the greatest depth of %s and refuses one more', (keyword) => {
    expect(refusal(nested(SchemaCompiler.MAX_DEPTH, keyword))).toBe('ok');
    expect(refusal(nested(SchemaCompiler.MAX_DEPTH + 1, keyword))).toMatch(/^schema_too_deep /);
    expect(refusal(nested(20_000, keyword))).toMatch(/^schema_too_deep /);
  });

  it('refuses an object that contains itself', () => {
    const schema = new JsonObject().setString('type', 'object');
    schema.setObject('properties', new JsonObject().setObject('self', schema));
    expect(refusal(schema)).toMatch(/^schema_too_deep /);
  });

  it('takes 100,000 required names and properties', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `n${i}`);
    const schema = { type: 'object', required: names, properties: Object.fromEntries(names.map((n) => [n, { type: 'string' }])) };
    expect(refusal(schema)).toBe('ok');
  });

  it('treats __proto__ and constructor as names and leaves prototypes alone', () => {
    const schema = parse('{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string"}}},"constructor":{"type":"integer"}},"required":["__proto__"]}');
    const compiled = baseline.compile(schema).value;
    expect(compiled.check(parse('{}')).map((i) => i.message)).toEqual(['Missing required argument: __proto__']);
    expect(compiled.check(parse('{"__proto__":{"polluted":1},"constructor":"x"}')).map((i) => i.message))
      .toEqual(['$.__proto__.polluted must be string', '$.constructor must be integer']);
    expect(compiled.check(parse('{"__proto__":{"polluted":"yes"}}'))).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
