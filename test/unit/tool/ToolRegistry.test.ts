import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { baselineKeywords } from '@core/schema/BaselineKeywords';
import { KeywordSet } from '@core/schema/KeywordSet';
import { SchemaCompiler } from '@core/schema/SchemaCompiler';
import { PipelineToken } from '@core/tool/PipelineToken';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolSource } from '@core/tool/ToolSource';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { hasSharedData, json, lacksType, readLines } from '../schema/support';
import { definition, NOTE_PARAMETERS, NoteExecutor } from './support';

const token = new PipelineToken('test');

function text(value: JsonObject): string {
  return new JsonCodec().stringify(JsonValue.object(value)).value;
}

function names(registry: ToolRegistry): string[] {
  return registry.list().map((tool) => tool.name);
}

/** Every object that can be reached over fields, Map entries and prototypes' getters, functions aside. */
function reachable(root: object): Set<object> {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof Map) open.push(...next.keys(), ...next.values());
    if (next instanceof Set) open.push(...next);
    for (const key of Reflect.ownKeys(next)) open.push(Reflect.get(next, key));
  }
  return seen;
}

describe('ToolRegistry.register', () => {
  it('REG-01 a good tool registers and its definition can be read back', () => {
    const registry = new ToolRegistry();
    expect(registry.register(definition('note'), new NoteExecutor()).value).toBe(true);
    const found = registry.get('note') as ToolDefinition;
    expect([found.name, found.description, found.riskLevel]).toEqual(['note', 'does note', 'safe']);
    expect(text(found.parameters)).toBe(JSON.stringify(NOTE_PARAMETERS));
    expect([registry.size, registry.list()]).toEqual([1, [found]]);
  });

  it('REG-01 no executor can be reached from a registry', () => {
    const registry = new ToolRegistry();
    const executor = new NoteExecutor();
    registry.register(definition('note'), executor);
    const target = new ToolRegistry();
    registry.copyInto(target);
    for (const one of [registry, target]) {
      const found = reachable(one);
      expect(found.size).toBeGreaterThan(5);
      expect([...found].some((o) => o === executor || o instanceof NoteExecutor || 'executor' in o)).toBe(false);
    }
    expect(registry.resolve('note', token)?.executor).toBe(executor);
    expect(target.resolve('note', token)?.executor).toBe(executor);
  });

  it('REG-01 a forged token opens nothing, and a target that listens in gets nothing', () => {
    const registry = new ToolRegistry();
    registry.register(definition('note'), new NoteExecutor());
    const forged: unknown[] = [{}, { purpose: 'pipeline' }, undefined, null, 'pipeline', registry];
    for (const one of forged) {
      expect(registry.resolve('note', one as PipelineToken)).toBeUndefined();
      expect(registry.registerInternal({ definition: definition('x'), executor: new NoteExecutor() }, one as PipelineToken).error.code).toBe('internal_error');
    }
    const handed: object[] = [];
    const thief = { tools: new Map(), size: 0, maxTools: 9, keep: (tool: object) => { handed.push(tool); } };
    registry.copyInto(thief as unknown as ToolRegistry);
    expect(handed.length).toBe(1);
    expect([...reachable(handed[0])].some((o) => o instanceof NoteExecutor)).toBe(false);
  });

  it('REG-01 later changes of the caller\'s objects change nothing, and what is read back is sealed', () => {
    const registry = new ToolRegistry();
    const parameters = json(NOTE_PARAMETERS);
    const contract = { timeoutMs: 5 };
    registry.register(new ToolDefinition('note', 'd', parameters), new NoteExecutor(), contract);
    parameters.getObject('properties')?.setObject('extra', json({ type: 'dict' }));
    parameters.remove('required');
    contract.timeoutMs = 9;
    const found = registry.get('note') as ToolDefinition;
    expect(text(found.parameters)).toBe(JSON.stringify(NOTE_PARAMETERS));
    expect(registry.resolve('note', token)?.contract.timeoutMs).toBe(5);
    expect(() => found.parameters.setString('type', 'array')).toThrow(/sealed/);
    expect(() => found.parameters.getObject('properties')?.remove('text')).toThrow(/sealed/);
    expect(() => registry.list()[0].parameters.remove('type')).toThrow(/sealed/);
  });

  it.each(['', ' ', '\t\n', '\u00a0'])('REG-02 the blank name %j: tool_name_empty', (name) => {
    const registry = new ToolRegistry();
    expect(registry.register(definition(name), new NoteExecutor()).error.code).toBe('tool_name_empty');
    expect(registry.size).toBe(0);
  });

  it.each(['a b', ' a', 'a.b', 'ä', '名字', 'a/b', 'a\n', 'x'.repeat(65)])('REG-02 the name %j: tool_name_invalid', (name) => {
    const error = new ToolRegistry().register(definition(name), new NoteExecutor()).error;
    expect([error.code, error.layer]).toEqual(['tool_name_invalid', 'tool']);
  });

  it.each(['a', 'A-1_b', 'x'.repeat(64), 'toString', '__proto__', 'constructor'])('takes the name %s', (name) => {
    const registry = new ToolRegistry();
    expect(registry.get(name)).toBeUndefined();
    expect(registry.resolve(name, token)).toBeUndefined();
    expect(registry.register(definition(name), new NoteExecutor()).ok).toBe(true);
    expect(registry.get(name)?.name).toBe(name);
  });

  it('REG-03 a taken name: tool_name_duplicate, the first one stays intact', () => {
    const registry = new ToolRegistry();
    const first = new NoteExecutor();
    registry.register(definition('note'), first);
    const before = registry.get('note');
    const again = registry.register(new ToolDefinition('note', 'other', json({ type: 'object' }), ToolRiskLevel.dangerous), new NoteExecutor());
    expect(again.error.code).toBe('tool_name_duplicate');
    expect(registry.get('note')).toBe(before);
    expect(registry.resolve('note', token)?.executor).toBe(first);
    expect(registry.register(definition('Note'), new NoteExecutor()).ok).toBe(true);
  });

  it('REG-04 a bad schema: schema_*, nothing half-registered, and the name is free afterwards', () => {
    const registry = new ToolRegistry();
    const list = registry.list();
    const error = registry.register(definition('note', { type: 'object', properties: { a: { type: 'dict' } } }), new NoteExecutor()).error;
    expect([error.code, error.details?.get('path'), error.details?.get('tool')]).toEqual(['schema_type_unsupported', '$.properties.a', 'note']);
    expect([registry.size, registry.get('note'), registry.resolve('note', token)]).toEqual([0, undefined, undefined]);
    expect(registry.list()).toBe(list);
    expect(registry.register(definition('note'), new NoteExecutor()).ok).toBe(true);
  });

  it('REG-05 an unsupported keyword anywhere in the tree: schema_unsupported_keyword with its path', () => {
    const parameters = { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties: { x: { type: 'string', format: 'date' } } } } } };
    const error = new ToolRegistry().register(definition('note', parameters), new NoteExecutor()).error;
    expect(error.code).toBe('schema_unsupported_keyword');
    expect(error.message).toContain('$.properties.list.items.properties.x.format');
  });

  it('checks name, then duplicate, then schema, then contract', () => {
    const registry = new ToolRegistry();
    registry.register(definition('note'), new NoteExecutor());
    const bad = { type: 'string' };
    const conflicting = { effect: ToolEffect.irreversible };
    const code = (name: string, parameters: object): string => registry.register(definition(name, parameters), new NoteExecutor(), conflicting).error.code;
    expect(code(' ', bad)).toBe('tool_name_empty');
    expect(code('a b', bad)).toBe('tool_name_invalid');
    expect(code('note', bad)).toBe('tool_name_duplicate');
    expect(code('other', bad)).toBe('schema_root_not_object');
    expect(code('other', { type: 'object' })).toBe('tool_contract_conflict');
    expect(names(registry)).toEqual(['note']);
  });

  it('stops at its size', () => {
    const registry = new ToolRegistry({ maxTools: 1 });
    registry.register(definition('a'), new NoteExecutor());
    const error = registry.register(definition('b'), new NoteExecutor()).error;
    expect([error.code, names(registry)]).toEqual(['config_invalid', ['a']]);
  });

  it('takes the profile that it is given', () => {
    const lenient = new SchemaCompiler(new KeywordSet(baselineKeywords().keywords, { typeRequired: false }));
    const untyped = { type: 'object', properties: { a: {} } };
    expect(new ToolRegistry({ schemaCompiler: lenient }).register(definition('note', untyped), new NoteExecutor()).ok).toBe(true);
    expect(new ToolRegistry().register(definition('note', untyped), new NoteExecutor()).error.code).toBe('schema_type_missing');
  });

  it('keeps the source; builtin when none is given', () => {
    const registry = new ToolRegistry();
    registry.register(definition('a'), new NoteExecutor());
    registry.register(definition('b'), new NoteExecutor(), {}, ToolSource.mcp('files'));
    expect(['a', 'b'].map((name) => registry.resolve(name, token)?.source.toString())).toEqual(['builtin', 'mcp:files']);
  });
});

describe('ToolRegistry and contracts', () => {
  it.each([
    ['safe with a reversible effect', ToolRiskLevel.safe, { effect: ToolEffect.reversible }],
    ['safe with an irreversible effect', ToolRiskLevel.safe, { effect: ToolEffect.irreversible }],
    ['dangerous without effect', ToolRiskLevel.dangerous, { effect: ToolEffect.none }],
    ['a negative time-out', ToolRiskLevel.safe, { timeoutMs: -1 }],
    ['a time-out that is no number', ToolRiskLevel.safe, { timeoutMs: NaN }],
    ['a time-out that no timer holds', ToolRiskLevel.safe, { timeoutMs: 2 ** 31 }],
    ['an endless time-out', ToolRiskLevel.safe, { timeoutMs: Infinity }],
    ['a negative result size', ToolRiskLevel.safe, { maxResultChars: -5 }],
    ['a result size that is no number', ToolRiskLevel.safe, { maxResultChars: NaN }],
  ])('refuses %s: tool_contract_conflict', (_name, risk, contract) => {
    const registry = new ToolRegistry();
    const error = registry.register(definition('t', undefined, risk), new NoteExecutor(), contract).error;
    expect([error.code, (error.details?.get('problems') as string[]).length, registry.size]).toEqual(['tool_contract_conflict', 1, 0]);
  });

  it('exempts delegate_task from the match of risk and effect, and only for the runtime', () => {
    const registry = new ToolRegistry();
    const registration = { definition: definition('delegate_task'), executor: new NoteExecutor(), contract: { effect: ToolEffect.irreversible }, riskExempt: true };
    expect(registry.registerInternal(registration, token).ok).toBe(true);
    expect(registry.resolve('delegate_task', token)?.contract.effect).toBe('irreversible');
    expect(registry.registerInternal({ ...registration, definition: definition('other'), contract: { timeoutMs: NaN } }, token).error.code).toBe('tool_contract_conflict');
  });
});

describe('ToolRegistry as a collection', () => {
  function filled(...tools: string[]): ToolRegistry {
    const registry = new ToolRegistry();
    for (const name of tools) registry.register(definition(name), new NoteExecutor());
    return registry;
  }

  it('REG-06 unregister', () => {
    const registry = filled('a', 'b');
    expect([registry.unregister('a'), registry.unregister('a'), registry.unregister('toString')]).toEqual([true, false, false]);
    expect([names(registry), registry.get('a'), registry.resolve('a', token)]).toEqual([['b'], undefined, undefined]);
    registry.register(definition('a'), new NoteExecutor());
    expect(names(registry)).toEqual(['b', 'a']);
  });

  it('REG-06 copyInto and copyIntoExcluding', () => {
    const source = filled('a', 'b', 'c');
    const all = filled('z');
    expect(source.copyInto(all).value).toBe(3);
    expect(names(all)).toEqual(['z', 'a', 'b', 'c']);
    const some = new ToolRegistry();
    expect(source.copyIntoExcluding(some, ['b', 'unknown']).value).toBe(2);
    expect(names(some)).toEqual(['a', 'c']);
    expect(some.resolve('a', token)).toBe(source.resolve('a', token));
    source.unregister('a');
    expect(names(some)).toEqual(['a', 'c']);
    expect(new ToolRegistry().copyInto(some).value).toBe(0);
  });

  it('REG-06 a duplicate or a full target: nothing is copied', () => {
    const source = filled('a', 'b', 'c');
    const target = filled('c');
    const list = target.list();
    const error = source.copyInto(target).error;
    expect([error.code, error.details?.get('names')]).toEqual(['tool_name_duplicate', ['c']]);
    expect(target.list()).toBe(list);
    expect(source.copyIntoExcluding(target, ['c']).value).toBe(2);
    expect(source.copyInto(source).error.code).toBe('tool_name_duplicate');
    const small = new ToolRegistry({ maxTools: 2 });
    expect([source.copyInto(small).error.code, small.size]).toEqual(['config_invalid', 0]);
  });

  it('REG-08 the list is the same array until a tool comes or goes, in registration order', () => {
    const registry = filled('b', 'a');
    const list = registry.list();
    registry.register(definition('a'), new NoteExecutor());
    registry.register(definition('bad', {}), new NoteExecutor());
    registry.unregister('nothing');
    expect(registry.list()).toBe(list);
    registry.register(definition('c'), new NoteExecutor());
    expect(registry.list()).not.toBe(list);
    expect([list.length, names(registry)]).toEqual([2, ['b', 'a', 'c']]);
    const again = registry.list();
    registry.unregister('a');
    expect([again.length, names(registry)]).toEqual([3, ['b', 'c']]);
  });

  it('EXE-06 the policy is the registry\'s and defaults to allow', () => {
    expect(new ToolRegistry().unknownArguments).toBe('allow');
    expect(new ToolRegistry({ unknownArguments: UnknownArgumentPolicy.strip }).unknownArguments).toBe('strip');
  });
});

interface ToolLine {
  id: string;
  name: string;
  description: string;
  parameters: unknown;
  outsideBaseline: string[];
  nameOkForOpenAI: boolean;
  schemaValid: boolean;
}

interface ArgumentsLine {
  toolId: string;
  arguments: object;
  valid: boolean;
}

describe('ToolRegistry and real tools', () => {
  const needed = hasSharedData ? '' : ' (needs ../shared/data)';

  it.skipIf(!hasSharedData)(`REG-04 REG-05 EXE-03 EXE-04 real tools register or are refused, and their arguments are judged rightly${needed}`, () => {
    const registry = new ToolRegistry();
    const executor = new NoteExecutor();
    const tools = ['app', 'bfcl', 'framework', 'mcp'].flatMap((file) => readLines<ToolLine>(`tools/${file}.jsonl`));
    for (const tool of tools) {
      const parameters = json(tool.parameters as object);
      if (!tool.nameOkForOpenAI) {
        expect(registry.register(new ToolDefinition(tool.name, tool.description, parameters), executor).error.code, tool.id).toBe('tool_name_invalid');
      }
      const result = registry.register(new ToolDefinition(tool.id, tool.description, parameters), executor);
      const inside = tool.outsideBaseline.length === 0 && tool.schemaValid;
      const expected = !inside ? /^schema_(?!type_missing)/ : lacksType(tool.parameters) ? /^schema_type_missing$/ : /^ok$/;
      expect(result.ok ? 'ok' : result.error.code, tool.id).toMatch(expected);
    }
    expect(registry.size).toBeGreaterThan(500);
    let judged = 0;
    for (const line of readLines<ArgumentsLine>('tools/arguments.jsonl')) {
      const tool = registry.resolve(line.toolId, token);
      if (tool === undefined) continue;
      judged++;
      expect(tool.validate(json(line.arguments), UnknownArgumentPolicy.allow).ok, `${line.toolId} ${JSON.stringify(line.arguments)}`).toBe(line.valid);
    }
    expect(judged).toBeGreaterThan(500);
  });
});
