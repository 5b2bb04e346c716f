import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { JsonObject } from '@core/json/JsonObject';
import { NarrowingSelector } from '@core/subagent/NarrowingSelector';
import { WorkerRules } from '@core/subagent/SubAgentOptions';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolSelection, type SelectableTool } from '@core/tool/ToolSelector';
import { CORE, repositoryRoot } from '../../architecture/sources';

function read(path: string): string {
  return readFileSync(join(repositoryRoot, CORE, path), 'utf8');
}

/** Members of an exported interface. */
function members(text: string, name: string): string[] {
  const body = new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member!);
}

/** What reaches workers in another way. */
const OTHERWISE = new Map([['toolCatalog', 'a worker\'s registry is a copy of what the session\'s catalog makes effective']]);

describe('WorkerConfig', () => {
  it.each([['AgentConfig', 'runtime/config/AgentConfig.ts'], ['AgentLimitsInit', 'runtime/config/AgentLimits.ts']])('S11 hands on every member of %s: a new rule that is forgotten would not hold for workers', (name, path) => {
    const known = members(read(path), name);
    expect(known.length).toBeGreaterThan(5);
    const handed = read('subagent/WorkerConfig.ts');
    expect(known.filter((member) => !OTHERWISE.has(member) && !new RegExp(`\\b${member}:`).test(handed))).toEqual([]);
  });

  it('the defaults of workers', () => {
    const rules = new WorkerRules({});
    expect([rules.maxDepth, rules.maxChildrenPerRun, rules.timeoutMs, rules.excludedTools]).toEqual([1, 8, 600000, ['write_todos']]);
    expect(new WorkerRules({ maxDepth: 1.5, maxChildrenPerRun: 0 }).problems()).toHaveLength(2);
  });
});

function tool(name: string): SelectableTool {
  return { definition: new ToolDefinition(name, name, new JsonObject(), ToolRiskLevel.safe), effect: ToolEffect.none, source: 'builtin' };
}

describe('NarrowingSelector', () => {
  const tools = [tool('a'), tool('b'), tool('c')];
  const without = (name: string) => {
    const answer = new ToolSelection(tools.filter((one) => one.definition.name !== name).map((one) => one.definition), [{ name, reason: `no ${name}` }]);
    return { select: () => answer };
  };

  it('REG-08 shows what every selector shows, in order, with the first reason; the same object while nothing changes', () => {
    const selector = new NarrowingSelector([without('c'), without('a')]);
    const selection = selector.select(tools);
    expect(selection.visible.map((one) => one.name)).toEqual(['b']);
    expect(selection.hidden).toEqual([{ name: 'a', reason: 'no a' }, { name: 'c', reason: 'no c' }]);
    expect(selector.select(tools)).toBe(selection);
    expect(selector.select(tools.slice())).not.toBe(selection);
  });

  it('S13 a selector that fails is not swallowed: the runtime shows nothing then', () => {
    const selector = new NarrowingSelector([{ select: () => { throw new Error('bad'); } }]);
    expect(() => selector.select(tools)).toThrow('bad');
  });
});
