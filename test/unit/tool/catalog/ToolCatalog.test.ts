import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { CatalogStatus } from '@core/tool/catalog/CatalogEntry';
import type { CatalogTool } from '@core/tool/catalog/CatalogTool';
import { ResolvedToolContract } from '@core/tool/ResolvedToolContract';
import { PipelineToken } from '@core/tool/PipelineToken';
import { ToolCatalog } from '@core/tool/ToolCatalog';
import { ProbeOutcome, ToolCancellation, ToolEffect, type ToolContract, type ToolResources } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolSource } from '@core/tool/ToolSource';
import { json } from '../../schema/support';
import { NOTE_PARAMETERS, NoteExecutor, definition } from '../support';

const tool = (name: string, description = `does ${name}`, parameters: object = NOTE_PARAMETERS): CatalogTool =>
  ({ definition: new ToolDefinition(name, description, json(parameters)), executor: new NoteExecutor() });

const bad = (name: string): CatalogTool => tool(name, 'x', { type: 'object', properties: { n: { type: 'string', enum: ['a'] } } });

const lines = (catalog: ToolCatalog): string[] =>
  catalog.summary().entries.map((entry) => `${entry.status} ${entry.name} ${entry.source.toString()}${entry.by === '' ? '' : ` < ${entry.by}`}${entry.code === '' ? '' : ` ${entry.code}`}`);

const SOURCES: readonly ToolSource[] = [ToolSource.builtin(), ToolSource.project(), ToolSource.user(), ToolSource.mcp('alpha'), ToolSource.mcp('beta')];

describe('ToolCatalog', () => {
  it('REG-07 takes builtin before project before user before MCP, and lists the shadowed with the reason', () => {
    const catalog = new ToolCatalog();
    for (const source of [...SOURCES].reverse()) catalog.put(source, [tool('note', `of ${source.toString()}`)]);
    expect(catalog.registry.list().map((one) => one.description)).toEqual(['of builtin']);
    expect(lines(catalog)).toEqual([
      'active note builtin', 'shadowed note project < builtin', 'shadowed note user < builtin', 'shadowed note mcp:alpha < builtin', 'shadowed note mcp:beta < builtin',
    ]);
    expect(catalog.summary().shadowed[0].reason).toBe('builtin has precedence over project');
    catalog.remove(ToolSource.builtin());
    expect(catalog.registry.get('note')?.description).toBe('of project');
    catalog.remove(ToolSource.project());
    catalog.remove(ToolSource.user());
    expect(catalog.registry.get('note')?.description).toBe('of mcp:alpha');
    expect(catalog.remove(ToolSource.user())).toBe(false);
  });

  it('REG-07 does not depend on the order of loading, of removing and of loading again', () => {
    const names = ['a', 'b', 'c', 'd'];
    const content = fc.array(fc.record({ name: fc.constantFrom(...names, 'bad one', ''), good: fc.boolean() }), { maxLength: 5 });
    const contents = fc.tuple(content, content, content, content, content);
    fc.assert(fc.property(contents, fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), fc.array(fc.tuple(fc.nat(4), content)), (all, order, before) => {
      const made = (at: number, list: typeof all[0]): CatalogTool[] => list.map((one, index) => (one.good ? tool(one.name, `${at}.${index}`) : bad(one.name)));
      const straight = new ToolCatalog();
      SOURCES.forEach((source, at) => straight.put(source, made(at, all[at])));
      const other = new ToolCatalog();
      for (const [at, list] of before) {
        other.put(SOURCES[at], made(at, list));
        if (list.length % 2 === 0) other.remove(SOURCES[at]);
      }
      for (const at of order) other.put(SOURCES[at], made(at, all[at]));
      expect(lines(other)).toEqual(lines(straight));
      expect(other.summary().toText()).toBe(straight.summary().toText());
      expect(other.registry.list().map((one) => `${one.name} ${one.description}`)).toEqual(straight.registry.list().map((one) => `${one.name} ${one.description}`));
      expect(straight.registry.size).toBe(straight.summary().active.length);
    }));
  });

  it('REG-04 refuses a bad tool with its code and takes the good ones; nothing is half-registered', () => {
    const catalog = new ToolCatalog();
    expect(catalog.put(ToolSource.project(), [tool('good'), bad('enumerated'), tool(' '), tool('with space'), tool('good')]).value).toBe(1);
    expect(lines(catalog)).toEqual([
      'active good project', 'refused   project tool_name_empty', 'refused enumerated project schema_unsupported_keyword',
      'refused good project tool_name_duplicate', 'refused with space project tool_name_invalid',
    ]);
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['good']);
    const refused = catalog.put(ToolSource.project(), [tool('fresh'), bad('enumerated')], { allOrNothing: true });
    expect(refused.error.code).toBe('schema_unsupported_keyword');
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['good']);
    expect(() => catalog.put(ToolSource.project(), [tool('fresh'), undefined as unknown as CatalogTool])).toThrow();
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['good']);
    expect(catalog.put(ToolSource.mcp(' '), [tool('x')]).error.code).toBe('config_invalid');
  });

  it('exchanges a source at once, in the same registry, and keeps the list while nothing changes', () => {
    const catalog = new ToolCatalog();
    catalog.put(ToolSource.builtin(), [tool('base')]);
    catalog.put(ToolSource.mcp('web'), [tool('one'), tool('two')]);
    const before = catalog.registry.list();
    expect(catalog.registry.list()).toBe(before);
    catalog.put(ToolSource.mcp('web'), [tool('two'), tool('three')]);
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['base', 'two', 'three']);
    expect(before.map((one) => one.name)).toEqual(['base', 'one', 'two']);
    catalog.put(ToolSource.mcp('other'), []);
    const same = catalog.registry.list();
    catalog.remove(ToolSource.mcp('other'));
    expect(catalog.registry.list()).toBe(same);
    catalog.remove(ToolSource.mcp('web'));
    catalog.remove(ToolSource.builtin());
    expect(catalog.registry.list()).toEqual([]);
  });

  it('leaves tools alone that the app registered in the effective registry itself', () => {
    const catalog = new ToolCatalog();
    catalog.put(ToolSource.project(), [tool('note')]);
    catalog.registry.register(definition('direct'), new NoteExecutor());
    catalog.put(ToolSource.user(), [tool('direct'), tool('extra')]);
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['direct', 'note', 'extra']);
    expect(lines(catalog)).toEqual(['active direct builtin', 'active note project', 'active extra user', 'shadowed direct user < builtin']);
  });

  it('takes a registry as a source, with its profile, and names the source in its tools', () => {
    const own = new ToolRegistry();
    own.register(definition('planned'), new NoteExecutor());
    const catalog = new ToolCatalog();
    catalog.putRegistry(ToolSource.project(), own);
    own.register(definition('later'), new NoteExecutor());
    expect(lines(catalog)).toEqual(['active planned project']);
    expect(catalog.registry.resolve('planned', new PipelineToken('test'))?.source.toString()).toBe('project');
    expect(catalog.sourceNames()).toEqual(['project']);
  });

  it('gives an own registry that does not follow', () => {
    const catalog = new ToolCatalog();
    catalog.put(ToolSource.project(), [tool('note')]);
    const copy = catalog.toRegistry();
    catalog.remove(ToolSource.project());
    expect(copy.list().map((one) => one.name)).toEqual(['note']);
    expect(catalog.registry.size).toBe(0);
  });

  it('bounds the registry by precedence, whatever was loaded first', () => {
    const catalog = new ToolCatalog({ maxTools: 2 });
    catalog.put(ToolSource.user(), [tool('u1'), tool('u2')]);
    catalog.put(ToolSource.builtin(), [tool('b1')]);
    expect(lines(catalog)).toEqual(['active b1 builtin', 'active u1 user', 'refused u2 user config_invalid']);
  });

  it('tells its summary as text, one printable line for each tool', () => {
    const catalog = new ToolCatalog();
    catalog.put(ToolSource.builtin(), [tool('note')]);
    catalog.put(ToolSource.user(), [tool('note'), tool(`evil\n  active forged (builtin)\u202e${'x'.repeat(500)}`)]);
    const text = catalog.summary().toText();
    const rows = text.split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toBe('tools: 1 active, 1 shadowed, 1 refused');
    expect(rows[1]).toBe('  active note (builtin)');
    expect(rows[2]).toBe('  shadowed note (user) - builtin has precedence over user');
    expect(rows[3]).toMatch(/^ {2}refused evil active forged \(builtin\)x+… \(user\) - tool_name_invalid: /);
    expect(rows[3].length).toBeLessThan(320);
    expect(new ToolCatalog().summary().toText()).toBe('tools: 0 active, 0 shadowed, 0 refused');
    expect(catalog.summary().active[0].status).toBe(CatalogStatus.active);
  });

  it('DEC-44 an override is authorized for what it names and for what the overridden would name', async () => {
    const names = (paths: string[], hosts: string[]): ToolResources => ({ paths: () => paths, hosts: () => hosts });
    const catalog = new ToolCatalog();
    catalog.put(ToolSource.user(), [{ ...tool('open'), contract: { resources: names(['/etc/passwd'], ['evil.example']) } }]);
    catalog.put(ToolSource.project(), [tool('open')]);
    const token = new PipelineToken('test');
    const found = catalog.registry.resolve('open', token)!;
    expect(found.source.toString()).toBe('project');
    expect(found.contract.resources?.paths(json({}))).toEqual(['/etc/passwd']);
    expect(found.contract.resources?.hosts(json({}))).toEqual(['evil.example']);
    catalog.put(ToolSource.project(), [{ ...tool('open'), contract: { timeoutMs: 5, title: 'Own', resources: names(['/own'], []) } }]);
    const named = catalog.registry.resolve('open', token)!;
    expect(named.contract.resources?.paths(json({}))).toEqual(['/own', '/etc/passwd']);
    expect([named.contract.timeoutMs, named.contract.title]).toEqual([5, 'Own']);
    catalog.put(ToolSource.builtin(), [tool('open')]);
    expect(catalog.registry.resolve('open', token)?.contract.resources).toBeUndefined();
  });

  it('an override keeps all that its contract says', () => {
    const resources: ToolResources = { paths: () => [], hosts: () => [] };
    const contract: ToolContract = {
      timeoutMs: 5, effect: ToolEffect.reversible, idempotent: true, cancellation: ToolCancellation.none, concurrencySafe: true, background: true, maxResultChars: 7, pollable: true, title: 't',
      probe: { probe: async () => ProbeOutcome.cannotTell }, describer: { describe: () => 'd' },
    };
    const resolved = new ResolvedToolContract(contract, ToolRiskLevel.sensitive);
    expect({ ...resolved.withResources(resources) }).toEqual({ ...resolved, resources });
  });
});
