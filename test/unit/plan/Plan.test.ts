import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { Plan, PlanPhase } from '@core/plan/Plan';
import { PlanTodo, PlanTodoStatus } from '@core/plan/PlanTodo';
import { PlanLanguage } from '@core/plan/PlanWords';
import { TodoReader } from '@core/plan/TodoReader';

const parse = (text: string): JsonObject => new JsonCodec().parseObject(text).value;
const items = (...list: object[]): ReadonlyArray<JsonValue> => parse(JSON.stringify({ list })).getArray('list') ?? [];
const fault = (...list: object[]): [string, unknown] => {
  const read = TodoReader.read(items(...list));
  return read.ok ? ['read', undefined] : [read.error.code, read.error.details?.get('position')];
};

describe('the steps of a plan', () => {
  it('PLAN-01 an unknown status is plan_todo_status_unknown and names its step', () => {
    for (const status of ['done', 'Pending', '', 'in progress', 'toString', '__proto__']) {
      expect(fault({ content: 'a', status: 'pending' }, { content: 'b', status })).toEqual(['plan_todo_status_unknown', 2]);
    }
    expect(fault({ content: 'a' })).toEqual(['plan_todo_status_unknown', 1]);
    for (const status of Object.values(PlanTodoStatus)) expect(fault({ content: 'a', status })).toEqual(['read', undefined]);
  });

  it('bounds the number and the length of the steps, and refuses blank ones and ids that come twice', () => {
    const step = { content: 'x', status: 'pending' };
    expect(fault(...Array.from({ length: 100 }, () => step))[0]).toBe('read');
    expect(fault(...Array.from({ length: 101 }, () => step))[0]).toBe('plan_invalid');
    expect(fault({ content: 'x'.repeat(1000), status: 'pending' })[0]).toBe('read');
    expect(fault({ content: 'x'.repeat(1001), status: 'pending' })).toEqual(['plan_invalid', 1]);
    expect(fault({ content: ' \n', status: 'pending' })).toEqual(['plan_invalid', 1]);
    expect(fault({ ...step, id: 'a' }, { ...step, id: 'a' })).toEqual(['plan_invalid', 2]);
    expect(fault({ ...step, id: '2' }, step)).toEqual(['plan_invalid', 2]);
    expect(fault({ ...step, id: 'i'.repeat(65) })).toEqual(['plan_invalid', 1]);
    expect(TodoReader.read([JsonValue.string('x')]).error.code).toBe('plan_invalid');
  });

  it('a step without an id is numbered by its place', () => {
    const read = TodoReader.read(items({ content: ' a ', status: 'pending' }, { id: 'b', content: 'b', status: 'completed' })).value;
    expect(read.map((todo) => [todo.id, todo.content])).toEqual([['1', 'a'], ['b', 'b']]);
  });

  it('a plan written and read back is the same; what is no plan is none', () => {
    const todo = fc.record({ content: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text && text !== ''), status: fc.constantFrom(...Object.values(PlanTodoStatus)) });
    fc.assert(fc.property(fc.array(todo, { maxLength: 8 }), fc.constantFrom(...Object.values(PlanPhase)), fc.string({ maxLength: 5 }), (todos, phase, runId) => {
      const plan = new Plan(todos.map((one, at) => new PlanTodo(`${at + 1}`, one.content, one.status)), phase, runId);
      const back = Plan.fromJson(parse(new JsonCodec().stringify(JsonValue.object(plan.toJson())).value));
      expect([back?.hasSameTodos(plan.todos), back?.phase, back?.runId]).toEqual([true, phase, runId]);
    }));
    for (const text of ['{}', '{"todos":[],"phase":"yes","runId":"r"}', '{"todos":[{"content":"a","status":"x"}],"phase":"draft","runId":""}', '{"todos":[],"phase":"approved"}']) {
      expect(Plan.fromJson(parse(text))).toBeUndefined();
    }
    expect(new Plan([], PlanPhase.approved, '').isApprovedIn('')).toBe(false);
  });

  it('the short form has one line a step and shows ids only where they say something', () => {
    const plan = new Plan([new PlanTodo('1', 'mix', PlanTodoStatus.completed), new PlanTodo('x', 'bake', PlanTodoStatus.inProgress), new PlanTodo('3', 'eat', PlanTodoStatus.pending), new PlanTodo('4', 'wait', PlanTodoStatus.cancelled)], PlanPhase.draft, '');
    expect(PlanLanguage.brief(PlanLanguage.of('en-GB'), plan)).toBe('The plan now:\n[x] mix\n[>] (x) bake\n[ ] eat\n[-] wait');
    expect(PlanLanguage.brief(PlanLanguage.of('zh-CN'), plan)).toMatch(/^当前计划：\n\[x\] mix/);
  });
});
