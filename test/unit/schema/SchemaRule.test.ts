import { describe, expect, it } from 'vitest';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { CompiledSchema } from '@core/schema/CompiledSchema';
import { ItemsRule } from '@core/schema/ItemsKeyword';
import { PropertiesRule } from '@core/schema/PropertiesKeyword';
import { RequiredRule } from '@core/schema/RequiredKeyword';
import type { SchemaRule } from '@core/schema/SchemaRule';
import { KindRule } from '@core/schema/TypeKeyword';
import { JsonKind } from '@core/json/JsonKind';
import { ValidationRun } from '@core/schema/ValidationRun';
import { json } from './support';

class CountingRule implements SchemaRule {
  asked = 0;
  private readonly inner = new KindRule(JsonKind.stringValue, 'string');

  check(value: JsonValue, run: ValidationRun): void {
    this.asked++;
    this.inner.check(value, run);
  }
}

class CountingObject extends JsonObject {
  asked = 0;

  override has(key: string): boolean {
    this.asked++;
    return super.has(key);
  }
}

const LIMIT = CompiledSchema.MAX_ISSUES;

describe('SchemaRule', () => {
  it('stops looking when the list of issues is full', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `n${i}`);
    const items = new CountingRule();
    new ItemsRule(items).check(json({ v: names.map(() => 1) }).get('v') as JsonValue, new ValidationRun(LIMIT));
    const members = new CountingRule();
    const object = JsonValue.object(json(Object.fromEntries(names.map((name) => [name, 1]))));
    new PropertiesRule(names, names.map(() => members)).check(object, new ValidationRun(LIMIT));
    const empty = new CountingObject();
    new RequiredRule(names).check(JsonValue.object(empty), new ValidationRun(LIMIT));
    expect([items.asked, members.asked]).toEqual([LIMIT, LIMIT]);
    expect(empty.asked).toBeLessThanOrEqual(LIMIT + 1);
  });

  it('never keeps more issues than its bound, whatever a rule reports', () => {
    const run = new ValidationRun(2);
    for (const name of ['a', 'b', 'c']) run.reportMissing(name);
    expect(run.issues.map((issue) => issue.path)).toEqual(['$.a', '$.b']);
  });

  it('says nothing about kinds of values that its keyword does not concern', () => {
    const never = new KindRule(JsonKind.nullValue, 'null');
    const run = new ValidationRun(LIMIT);
    for (const rule of [new ItemsRule(never), new PropertiesRule(['length'], [never]), new RequiredRule(['length'])]) {
      for (const value of [JsonValue.string('abc'), JsonValue.number(1), JsonValue.nullValue(), JsonValue.boolean(true)]) rule.check(value, run);
    }
    new ItemsRule(never).check(JsonValue.object(json({ 0: 1 })), run);
    new PropertiesRule(['0'], [never]).check(JsonValue.array([JsonValue.number(1)]), run);
    expect(run.issues).toEqual([]);
  });
});
