import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { McpNames } from '@core/tool/catalog/McpNames';
import type { McpServerRules, McpToolListing } from '@core/tool/catalog/McpToolListing';
import { PipelineToken } from '@core/tool/PipelineToken';
import { ToolCatalog } from '@core/tool/ToolCatalog';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolSource } from '@core/tool/ToolSource';
import { json } from '../../schema/support';
import { NOTE_PARAMETERS, NoteExecutor } from '../support';

const listed = (name: string, more: { description?: string; annotations?: object; schema?: object } = {}): McpToolListing => ({
  name, description: more.description ?? 'd', inputSchema: json(more.schema ?? NOTE_PARAMETERS), executor: new NoteExecutor(),
  ...(more.annotations === undefined ? {} : { annotations: json(more.annotations) }),
});

function catalogOf(listing: McpToolListing[], rules?: McpServerRules, server = 'web'): ToolCatalog {
  const catalog = new ToolCatalog();
  const taken = catalog.putMcp(server, listing, rules);
  if (!taken.ok) throw taken.error;
  return catalog;
}

const risk = (catalog: ToolCatalog, name: string): ToolRiskLevel | undefined => catalog.registry.get(name)?.riskLevel;
const SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

describe('tools of an MCP server', () => {
  it('have names that every provider takes, the same after every start', () => {
    const names = new McpNames('web');
    expect(names.of('search')).toBe('web__search');
    expect(names.of('_private')).toBe('web___private');
    expect(names.of('repo.search')).toMatch(/^web__repo_search_[0-9a-f]{8}$/);
    expect(names.of('repo.search')).toBe(new McpNames('web').of('repo.search'));
    expect(names.of('repo_search')).not.toBe(names.of('repo.search'));
    expect(names.of('搜索')).toMatch(/^web__tool_[0-9a-f]{8}$/);
    expect(names.of('搜索')).not.toBe(names.of('搜尋'));
    expect(names.of('x'.repeat(100))).toHaveLength(64);
    expect(new McpNames('我的').of('a')).toMatch(/^server_[0-9a-f]{8}__a$/);
    expect(new McpNames('a__b').of('c')).not.toBe(new McpNames('a').of('b__c'));
    expect(new McpNames('a_').of('b')).not.toBe(new McpNames('a').of('_b'));
  });

  it('have names that tell servers and tools apart, whatever these are called', () => {
    const part = fc.oneof(fc.constantFrom('a', 'a_', '_a', 'a__', 'a.b', 'a_b', 'a b', '__', '_', '', 'A', 'a-b'), fc.string({ maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 80 }));
    fc.assert(fc.property(part, part, part, part, (s1, t1, s2, t2) => {
      const one = new McpNames(s1).of(t1);
      const two = new McpNames(s2).of(t2);
      expect(one).toMatch(SAFE_NAME);
      expect(one === two).toBe(s1 === s2 && t1 === t2);
    }), { numRuns: 3000 });
  });

  it('are never safe by their own word, and dangerous when they say that they destroy', () => {
    const list = [
      listed('plain'), listed('reads', { annotations: { readOnlyHint: true } }), listed('destroys', { annotations: { destructiveHint: true } }),
      listed('both', { annotations: { readOnlyHint: true, destructiveHint: true } }), listed('odd', { annotations: { readOnlyHint: 'true', destructiveHint: 1 } }),
    ];
    const untrusted = catalogOf(list);
    expect(['plain', 'reads', 'destroys', 'both', 'odd'].map((name) => risk(untrusted, `web__${name}`))).toEqual(['sensitive', 'sensitive', 'dangerous', 'dangerous', 'sensitive']);
    const trusted = catalogOf(list, { trustReadOnlyHint: true });
    expect(['plain', 'reads', 'destroys', 'both'].map((name) => risk(trusted, `web__${name}`))).toEqual(['sensitive', 'safe', 'dangerous', 'dangerous']);
    const said = catalogOf(list, { risks: new Map([['plain', ToolRiskLevel.safe], ['reads', ToolRiskLevel.dangerous]]) });
    expect(['plain', 'reads', 'destroys'].map((name) => risk(said, `web__${name}`))).toEqual(['safe', 'dangerous', 'dangerous']);
  });

  it('take the app\'s contract where it fits, and no title of the server', () => {
    const token = new PipelineToken('test');
    const list = [listed('plain', { annotations: { title: 'Harmless' } }), listed('destroys', { annotations: { destructiveHint: true } })];
    const none = catalogOf(list, { contract: { timeoutMs: 7, effect: ToolEffect.none } });
    const plain = none.registry.resolve('web__plain', token)!;
    expect([plain.contract.timeoutMs, plain.contract.effect, plain.contract.title]).toEqual([7, 'none', 'web__plain']);
    expect(none.registry.resolve('web__destroys', token)?.contract.effect).toBe('irreversible');
    expect(plain.source.toString()).toBe('mcp:web');
  });

  it('have bounded descriptions without hidden characters', () => {
    const catalog = catalogOf([listed('a', { description: `line\nnext\u202e\u200b\u0007\u{e0041}${'y'.repeat(5000)}` }), listed('b', { description: '😀'.repeat(6) })], { maxDescriptionChars: 10 });
    expect(catalog.registry.get('web__a')?.description).toBe('line\nnext…');
    expect(catalog.registry.get('web__b')?.description).toBe('😀😀😀😀…');
    expect(catalogOf([{ ...listed('c'), description: undefined } as unknown as McpToolListing]).registry.get('web__c')?.description).toBe('');
  });

  it('are refused and listed with the code when they are outside the profile, without a name, or too large', () => {
    const list = [
      listed('ok'), listed('enumerated', { schema: { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } } }), listed('  '),
      listed('huge', { schema: { type: 'object', properties: { a: { type: 'string', description: 'd'.repeat(3000) } } } }),
      { ...listed('bare'), inputSchema: undefined } as unknown as McpToolListing, { ...listed('x'), name: 5 } as unknown as McpToolListing, listed('ok', { description: 'second' }),
    ];
    const catalog = catalogOf(list, { maxSchemaChars: 2000 });
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['web__ok']);
    expect(catalog.registry.get('web__ok')?.description).toBe('d');
    expect(catalog.summary().refused.map((entry) => `${entry.originalName.trim()} ${entry.code}`).sort()).toEqual([
      ' tool_name_empty', ' tool_name_empty', 'bare schema_root_not_object', 'enumerated schema_unsupported_keyword', 'huge json_too_large', 'ok tool_name_duplicate',
    ]);
    const full = catalogOf([listed('a'), listed('b'), listed('c')], { maxTools: 2 });
    expect(full.summary().refused.map((entry) => `${entry.originalName} ${entry.code}`)).toEqual(['c config_invalid']);
    expect(new ToolCatalog().putMcp('  ', []).error.code).toBe('config_invalid');
  });

  it('REG-07 are the same whatever order the server lists them in, and a reconnect exchanges them', () => {
    const names = ['b', 'a', 'c.d', 'c_d', '搜索'];
    fc.assert(fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (order) => {
      const shuffled = catalogOf(order.map((name) => listed(name)));
      expect(shuffled.registry.list().map((one) => one.name)).toEqual(catalogOf(names.map((name) => listed(name))).registry.list().map((one) => one.name));
    }));
    const catalog = catalogOf([listed('old'), listed('kept')]);
    catalog.putMcp('web', [listed('new'), listed('kept')]);
    expect(catalog.registry.list().map((one) => one.name)).toEqual(['web__kept', 'web__new']);
    expect(catalog.remove(ToolSource.mcp('web'))).toBe(true);
    expect(catalog.registry.size).toBe(0);
  });

  const path = fileURLToPath(new URL('../../../../../shared/data/tools/mcp.jsonl', import.meta.url));
  it.skipIf(!existsSync(path))('of real servers are each active or refused for a keyword (needs ../shared/data)', () => {
    const rows = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { id: string; name: string; description: string; parameters: object; outsideBaseline: string[]; schemaValid?: boolean });
    const codec = new JsonCodec();
    let active = 0;
    for (const row of rows) {
      const parameters = codec.parseObject(JSON.stringify(row.parameters)).value;
      const catalog = catalogOf([{ name: row.name, description: row.description, inputSchema: parameters, executor: new NoteExecutor() }], {}, row.id.split('/')[0]);
      const [entry] = catalog.summary().entries;
      expect(entry.originalName).toBe(row.name);
      if (entry.status === 'active') {
        active += 1;
        expect(entry.name).toMatch(SAFE_NAME);
        expect(row.outsideBaseline).toEqual([]);
      } else {
        expect(entry.code).toMatch(/^schema_/);
      }
    }
    expect(active).toBeGreaterThan(100);
  });
});
