import { describe, expect, it } from 'vitest';
import { NetworkPolicy } from '@core/execution/policy/NetworkPolicy';
import { NetworkTargets } from '@core/execution/policy/NetworkTargets';
import type { JsonObject } from '@core/json/JsonObject';
import { ToolDefinition } from '@core/model/ToolDefinition';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import { RecordingTool } from '@core/testing/RecordingTool';
import { ToolCatalog } from '@core/tool/ToolCatalog';
import type { ToolResources } from '@core/tool/ToolContract';
import { ToolSource } from '@core/tool/ToolSource';
import { FunctionProvider, Session, Tools, WatchedStorage, call, calls, dangerous, json, says } from '../run/harness';

const parameters = (): JsonObject => json({ type: 'object', properties: { url: { type: 'string' } } });
const named: ToolResources = { paths: () => [], hosts: (args) => [args.getString('url') ?? ''] };

describe('a catalog in a session', () => {
  it('brings the tools of a server to the next turn, takes them away again, and keeps what was said readable', async () => {
    const tool = new RecordingTool();
    const catalog = new ToolCatalog();
    const listing = (name: string): Parameters<ToolCatalog['putMcp']>[1] => [{ name, description: 'd', inputSchema: parameters(), executor: tool, annotations: json({ readOnlyHint: true }) }];
    catalog.putMcp('web', listing('find'), { trustReadOnlyHint: true });
    const provider = new FunctionProvider(
      calls(call('c1', 'web__find')),
      (observer, signal, request) => {
        catalog.remove(ToolSource.mcp('web'));
        calls(call('c2', 'web__find'))(observer, signal, request);
      },
      (observer, signal, request) => {
        catalog.putMcp('web', listing('find'), { trustReadOnlyHint: true });
        calls(call('c3', 'gone'))(observer, signal, request);
      },
      says('done'));
    const session = await Session.open({ provider, toolCatalog: catalog });
    await session.run();
    expect(session.problems()).toEqual([]);
    expect(provider.requests.map((request) => request.tools.map((one) => one.name))).toEqual([['web__find'], ['web__find'], [], ['web__find']]);
    expect(session.history.filter((line) => line.startsWith('tool c2'))[0]).toMatch(/^tool c2 !tool_not_found/);
    expect(tool.count).toBe(1);
  });

  it('refuses a configuration with a registry and a catalog', async () => {
    const { runtime: _runtime, ...session } = await Session.open({ provider: new FunctionProvider(says('x')) });
    const opened = await AgentRuntime.open({
      sessionId: 's', provider: new FunctionProvider(says('x')), toolRegistry: new Tools().registry, toolCatalog: new ToolCatalog(),
      ports: { clock: session.clock, scheduler: session.scheduler, ids: { nextId: () => 'i' }, digest: { sha256Hex: () => '' } },
    });
    expect(opened.error.code).toBe('config_invalid');
    expect(opened.error.message).toContain('exclude each other');
  });

  it('DEC-44 an override that names no host is refused where the overridden one would be', async () => {
    const tool = new RecordingTool();
    const catalog = new ToolCatalog();
    const definition = new ToolDefinition('get', 'gets', parameters());
    catalog.put(ToolSource.user(), [{ definition, executor: new RecordingTool(), contract: { resources: named } }]);
    catalog.put(ToolSource.project(), [{ definition, executor: tool }]);
    const targets = NetworkTargets.create(undefined, { hosts: ['example.com'] }).value;
    const provider = new FunctionProvider(calls(call('c1', 'get', { url: 'https://10.0.0.1/' }), call('c2', 'get', { url: 'https://example.com/' })), says('done'));
    const session = await Session.open({ provider, toolCatalog: catalog, authorizationPolicy: new NetworkPolicy(targets) });
    await session.run();
    expect(session.history.find((line) => line.startsWith('tool c1'))).toMatch(/^tool c1 !tool_denied/);
    expect(tool.count).toBe(1);
  });
});

describe('a session whose tools are gone', () => {
  it('stays readable with its old calls, goes on, and answers an open question with tool_changed', async () => {
    const before = new Tools().add('old_look').add('old_pay', { risk: dangerous });
    const first = await Session.open({ provider: new FunctionProvider(calls(call('c1', 'old_look', { n: 1 })), says('looked'), calls(call('c2', 'old_pay', { n: 2 })), says('never')), toolRegistry: before.registry });
    await first.run();
    await first.run('and pay');
    const stored = first.storage.texts;

    const provider = new FunctionProvider(says('understood'));
    const later = await Session.open({ provider, toolCatalog: new ToolCatalog() }, WatchedStorage.after(stored, stored.length));
    expect(later.history.slice(0, 4)).toEqual(['user hi', 'assistant  [c1=old_look({"n":1})]', 'tool c1 old_look done', 'assistant looked']);
    const [batch] = later.runtime.getPendingApprovalBatches();
    expect(batch.items[0].toolCall.name).toBe('old_pay');
    expect((await later.controller.approve(batch.items[0].approvalId)).ok).toBe(true);
    const outcome = await later.resume();
    expect(outcome.ok).toBe(true);
    expect(later.history.find((line) => line.startsWith('tool c2'))).toMatch(/^tool c2 !tool_changed/);
    expect(provider.requests[0].messages.toArray().map((message) => message.toolCalls.map((one) => one.name)).flat()).toEqual(['old_look', 'old_pay']);
    expect(before.ran).toEqual(['old_look:{"n":1}']);
  });
});
