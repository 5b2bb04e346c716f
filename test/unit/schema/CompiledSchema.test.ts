import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaIssue } from '@core/schema/SchemaIssue';
import { CompiledSchema } from '@core/schema/CompiledSchema';
import { compile, json, messages, parse } from './support';

function typed(type: string): object {
  return { type: 'object', properties: { v: { type } } };
}

const RECORDS = {
  type: 'object',
  properties: {
    recordId: { type: 'string' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } }, required: ['name'] },
    },
  },
  required: ['recordId'],
};

describe('CompiledSchema', () => {
  const samples: Record<string, unknown[]> = {
    string: ['', 'x'],
    number: [0, 1.5, -1e300],
    integer: [0, 3, -7, 1e20],
    boolean: [true, false],
    object: [{}, { a: 1 }],
    array: [[], [1]],
    null: [null],
  };
  const accepts: Record<string, string[]> = { number: ['number', 'integer'], integer: ['integer'] };

  it.each(Object.keys(samples))('EXE-03 type %s accepts its own kind and nothing else', (type) => {
    for (const [kind, values] of Object.entries(samples)) {
      for (const v of values) {
        const fits = (accepts[type] ?? [type]).includes(kind) || (type === 'integer' && Number.isInteger(v));
        expect(messages(typed(type), { v }), `${type} against ${JSON.stringify(v)}`).toEqual(fits ? [] : [`$.v must be ${type}`]);
      }
    }
  });

  it('EXE-03 a wrong type at depth has its $ path', () => {
    expect(messages(RECORDS, { recordId: 7, items: [{ name: 'a' }, { name: 5 }] }))
      .toEqual(['$.recordId must be string', '$.items[1].name must be string']);
    const issue = compile(RECORDS).check(json({ recordId: 'r', items: [{ name: [] }] }))[0];
    expect([issue.code, issue.path]).toEqual(['tool_argument_type_mismatch', '$.items[0].name']);
  });

  it('EXE-03 null is no string and no missing argument', () => {
    expect(messages(RECORDS, { recordId: null })).toEqual(['$.recordId must be string']);
  });

  it('EXE-03 a value of the wrong type is not looked into', () => {
    expect(messages(RECORDS, { recordId: 'r', items: { 0: { name: 5 } } })).toEqual(['$.items must be array']);
  });

  it('EXE-04 a missing argument is named, a nested one with its path', () => {
    expect(messages(RECORDS, {})).toEqual(['Missing required argument: recordId']);
    expect(messages(RECORDS, { recordId: 'r', items: [{ name: 'a' }, {}] })).toEqual(['Missing required argument: $.items[1].name']);
    const issue = compile(RECORDS).check(json({}))[0];
    expect([issue.code, issue.path]).toEqual(['tool_argument_required', '$.recordId']);
  });

  it('EXE-04 names of Object.prototype and names outside properties are required like any other', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['toString', 'valueOf', 'b'] };
    expect(messages(schema, { a: 'x' })).toEqual(['toString', 'valueOf', 'b'].map((n) => `Missing required argument: ${n}`));
    expect(messages(schema, { toString: 1, valueOf: null, b: {} })).toEqual([]);
  });

  it('EXE-05 integer rejects 1.5, accepts 3 and 3.0', () => {
    const schema = compile(typed('integer'));
    expect(schema.check(parse('{"v":1.5}')).map((i) => i.message)).toEqual(['$.v must be integer']);
    for (const text of ['{"v":3}', '{"v":3.0}', '{"v":1e2}', '{"v":-0.0}']) expect(schema.check(parse(text)), text).toEqual([]);
  });

  it('collects all issues, up to its bound', () => {
    expect(messages(RECORDS, { items: [{ name: 1, size: 1.5 }] }))
      .toEqual(['Missing required argument: recordId', '$.items[0].name must be string', '$.items[0].size must be integer']);
    const many = compile({ type: 'object', properties: { v: { type: 'array', items: { type: 'string' } } } });
    const found = many.check(json({ v: Array.from({ length: 200_000 }, () => 1) }));
    expect(found.length).toBe(CompiledSchema.MAX_ISSUES);
    const required = compile({ type: 'object', required: Array.from({ length: 1000 }, (_, i) => `n${i}`) });
    expect(required.check(json({})).length).toBe(CompiledSchema.MAX_ISSUES);
  });

  it('answers valid arguments without making anything', () => {
    const schema = compile(RECORDS);
    const args = json({ recordId: 'r', items: [{ name: 'a', size: 1 }] });
    expect(schema.check(args)).toBe(schema.check(args));
  });

  it('keeps argument values out of messages', () => {
    const secret = 'sk-verysecret';
    const found = compile(RECORDS).checkClosed(json({ recordId: { token: secret }, items: [secret], other: secret }));
    expect(found.length).toBe(3);
    expect(JSON.stringify(found.map((i) => [i.code, i.path, i.message]))).not.toContain(secret);
  });

  it('turns issues into one error that lists them all', () => {
    const error = SchemaIssue.toError(compile(RECORDS).check(json({ items: [{}] })));
    expect([error.code, error.message, error.layer]).toEqual(['tool_argument_required', 'Missing required argument: recordId', 'tool']);
    expect(error.details?.get('path')).toBe('$.recordId');
    expect(error.details?.get('issues')).toEqual(['Missing required argument: recordId', 'Missing required argument: $.items[0].name']);
  });

  it('does not crash on any arguments and reports within its bound (property test)', () => {
    const schema = compile(RECORDS);
    const key = fc.oneof(fc.constantFrom('recordId', 'items', 'name', '__proto__', 'constructor', 'size', ''), fc.string());
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof({ maxDepth: 6 }, fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }), fc.dictionary(key, tie('any'), { maxKeys: 4 })),
    })).any;
    fc.assert(fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (native) => {
      const args = json(native);
      for (const issues of [schema.check(args), schema.checkClosed(args)]) {
        expect(issues.length).toBeLessThanOrEqual(CompiledSchema.MAX_ISSUES);
        for (const issue of issues) expect(issue.path.startsWith('$')).toBe(true);
      }
      const stripped = schema.withoutUnknown(args);
      expect(schema.check(stripped).length).toBe(schema.check(args).length);
      expect(schema.checkClosed(stripped).filter((i) => i.code === 'tool_argument_unknown')).toEqual([]);
    }), { numRuns: 500 });
  });
});
