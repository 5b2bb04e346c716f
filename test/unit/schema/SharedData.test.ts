import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { baseline, filesBelow, hasSharedData, isJsonObject, json, lacksType, readJson, refusal } from './support';

const needed = hasSharedData ? '' : ' (needs ../shared/data)';

interface RegistrationCase {
  id: string;
  schema: unknown;
  baseline: 'accept' | 'reject' | 'either';
  argumentsThatMustFail?: object[];
  argumentsThatMustPass?: object[];
}

interface SuiteGroup {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
  'x-outsideBaseline': string[];
}

interface MalformedCase {
  id: string;
  arguments?: string;
  toolParameters?: object;
  expect: string;
  errorClass?: string;
  value?: object;
}

describe('baseline against outside data', () => {
  it.skipIf(!hasSharedData)(`REG-04 REG-05 the collected registration cases${needed}`, () => {
    const cases = readJson<RegistrationCase[]>('schema-registration/cases.json');
    expect(cases.length).toBeGreaterThan(60);
    for (const one of cases) {
      if (!isJsonObject(one.schema)) {
        expect(one.baseline, one.id).toBe('reject');
        continue;
      }
      const compiled = baseline.compile(json(one.schema));
      if (one.baseline !== 'either') expect(compiled.ok, one.id).toBe(one.baseline === 'accept');
      if (!compiled.ok) {
        expect(compiled.error.code, one.id).toMatch(/^schema_/);
        continue;
      }
      for (const args of one.argumentsThatMustFail ?? []) expect(compiled.value.check(json(args)), one.id).not.toEqual([]);
      for (const args of one.argumentsThatMustPass ?? []) expect(compiled.value.check(json(args)), one.id).toEqual([]);
    }
  });

  it.skipIf(!hasSharedData)(`REG-05 the JSON Schema suite: refused outside the baseline, right verdicts inside${needed}`, () => {
    let refused = 0;
    let verdicts = 0;
    for (const file of filesBelow('json-schema-suite').filter((path) => path.startsWith('json-schema-suite/draft'))) {
      for (const group of readJson<SuiteGroup[]>(file)) {
        const where = `${file}: ${group.description}`;
        if (isJsonObject(group.schema) && group['x-outsideBaseline'].length > 0) {
          expect(refusal(group.schema), where).toMatch(/^schema_/);
        }
        // No group has a root of type object, so each schema is tried as that of one argument.
        const outer = baseline.compile(json({ type: 'object', properties: { v: group.schema } }));
        if (group['x-outsideBaseline'].length > 0 || lacksType(group.schema)) {
          expect(outer.ok, where).toBe(false);
          refused++;
          continue;
        }
        for (const test of group.tests) {
          expect(outer.value.check(json({ v: test.data })).length === 0, `${where}: ${test.description}`).toBe(test.valid);
          verdicts++;
        }
      }
    }
    expect(refused).toBeGreaterThan(400);
    expect(verdicts).toBeGreaterThan(40);
  });

  it.skipIf(!hasSharedData)(`EXE-03 EXE-04 argument strings that models produce${needed}`, () => {
    const cases = readJson<MalformedCase[]>('tool-args/malformed.json')
      .filter((one) => one.toolParameters !== undefined && one.arguments !== undefined);
    let tried = 0;
    for (const one of cases) {
      const schema = baseline.compile(json(one.toolParameters as object));
      const args = new JsonCodec().parseObject(one.arguments as string);
      if (!schema.ok || !args.ok) continue;
      tried++;
      const codes = schema.value.check(args.value).map((issue) => issue.code as string);
      expect(codes, one.id).toEqual(one.expect === 'accept' ? [] : [one.errorClass]);
      if (one.expect === 'accept') expect(schema.value.check(json(one.value as object)), one.id).toEqual([]);
    }
    expect(tried).toBeGreaterThanOrEqual(8);
  });
});
