import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuthorizationResult, type AuthorizationPolicy } from '@core/approval/AuthorizationPolicy';
import { Result } from '@core/base/Result';
import { ToolAfterEvent } from '@core/control/event/ToolEvents';
import { AgentMode, ModePolicy, SessionModes } from '@core/execution/policy/ModePolicy';
import { NetworkPolicy } from '@core/execution/policy/NetworkPolicy';
import { NetworkTargets } from '@core/execution/policy/NetworkTargets';
import { StrictestAuthorizationPolicy } from '@core/execution/policy/StrictestAuthorizationPolicy';
import { WorkspacePathPolicy } from '@core/execution/policy/WorkspacePathPolicy';
import { PathAccess, WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import type { JsonObject } from '@core/json/JsonObject';
import type { HostLookupError, HostResolver } from '@core/port/HostResolver';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { ToolEffect, type ToolResources } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { NodePathResolver } from '../../../host/src/policy/NodePathResolver';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

/** The tool's argument members `path` and `url` are what it touches. */
const RESOURCES: ToolResources = {
  paths: (args: JsonObject) => (args.getString('path') === undefined ? [] : [args.getString('path') as string]),
  hosts: (args: JsonObject) => (args.getString('url') === undefined ? [] : [args.getString('url') as string]),
};

const NAMES: HostResolver = { lookup: async (host) => Result.success<readonly string[], HostLookupError>([host.startsWith('inner') ? '10.0.0.1' : '93.184.215.14']) };

describe('policies in a real run', () => {
  let root = '';
  let world: World;
  let paths: WorkspacePaths;

  beforeEach(async () => {
    root = `${realpathSync(mkdtempSync(`${tmpdir()}/run-`))}/ws`;
    mkdirSync(root);
    writeFileSync(`${root}/a.txt`, 'inside');
    writeFileSync(`${root}/../secret.txt`, 'the secret');
    symlinkSync('../secret.txt', `${root}/link.txt`);
    world = new World();
    paths = (await WorkspacePaths.open(new NodePathResolver(), [{ path: root, writable: true }])).value;
  });
  afterEach(() => rmSync(`${root}/..`, { recursive: true, force: true }));

  /** One call, then a text; the policies are those of the app. */
  async function ran(tool: string, args: object, policy?: AuthorizationPolicy): Promise<Process> {
    const services = new ToolServiceRegistry();
    services.register(paths);
    const authorizationPolicy = policy ?? new StrictestAuthorizationPolicy([new WorkspacePathPolicy(paths), new NetworkPolicy(NetworkTargets.create(NAMES).value)]);
    const process = await world.open({ turns: [ScriptedTurn.call('c1', tool, JSON.stringify(args))], config: { authorizationPolicy, services } });
    await process.say('go');
    return process;
  }

  function told(process: Process): [string, string, string] {
    const event = process.log.busEvents.find((one) => one instanceof ToolAfterEvent) as ToolAfterEvent;
    return [event.envelope.status, event.envelope.code, event.envelope.result.metadata?.getString('by') ?? ''];
  }

  it.each([
    [{ path: '../secret.txt' }, 'workspace_path'], [{ path: '%2e%2e/secret.txt' }, 'workspace_path'], [{ path: 'link.txt' }, 'workspace_path'], [{ path: 'C:\\secret.txt' }, 'workspace_path'],
    [{ url: 'https://127.0.0.1/' }, 'network'], [{ url: 'https://0x7f000001/' }, 'network'], [{ url: 'https://inner.example.com/' }, 'network'], [{ path: 'a.txt', url: 'https://[::ffff:10.0.0.1]/' }, 'network'],
  ])('EXE-16 %j answers tool_denied in the name of %s; nothing runs, nobody is asked, the run goes on', async (args, by) => {
    const tool = world.safe('look', { resources: RESOURCES });
    const process = await ran('look', args);
    expect([tool.count, process.result?.value.stopReason, process.questions()]).toEqual([0, 'complete', []]);
    expect(told(process)).toEqual(['rejected', 'tool_denied', by]);
    const answer = process.history().find((line) => line.startsWith('tool c1')) ?? '';
    expect(answer).toMatch(/^tool c1 error: tool_denied: the (path|URL) /);
    for (const value of Object.values(args)) expect(answer).not.toContain(value);
  });

  it('a call that keeps to the rules runs', async () => {
    const tool = world.safe('look', { resources: RESOURCES });
    const process = await ran('look', { path: 'a.txt', url: 'https://example.com/' });
    expect([tool.count, told(process)]).toEqual([1, ['ok', '', '']]);
  });

  it('a policy that fails or gives no answer refuses', async () => {
    const tool = world.safe('look', { resources: RESOURCES });
    for (const answer of [async () => { throw new Error('x'); }, async () => ({ action: 'allow' }) as never]) {
      expect(told(await ran('look', {}, new StrictestAuthorizationPolicy([{ name: 'odd', authorize: answer }])))).toEqual(['rejected', 'tool_denied', 'odd']);
      world = new World({ sessionId: `s${String(tool.count)}` });
      world.safe('look', { resources: RESOURCES });
    }
    expect(tool.count).toBe(0);
  });

  it('read-only mode rejects an effect before anybody is asked', async () => {
    const modes = new SessionModes(AgentMode.readOnly);
    const tool = world.sensitive('write', { resources: RESOURCES, effect: ToolEffect.reversible });
    const process = await ran('write', { path: 'a.txt' }, new ModePolicy(modes));
    expect([tool.count, process.questions(), told(process)]).toEqual([0, [], ['rejected', 'tool_denied', 'mode']]);
  });

  it('requireConfirmation asks the person with the reason, and asks the policy again before it runs', async () => {
    const tool = world.safe('look', { resources: RESOURCES });
    let answer = AuthorizationResult.requireConfirmation('a new place');
    const process = await ran('look', { path: 'a.txt' }, new StrictestAuthorizationPolicy([new WorkspacePathPolicy(paths), { name: 'places', authorize: async () => answer }]));
    expect([process.result?.value.stopReason, process.batch().items[0].reason, tool.count]).toEqual(['awaiting_approval', 'a new place', 0]);
    await process.approveAll();
    answer = AuthorizationResult.reject('closed now');
    await process.resume();
    expect([tool.count, told(process)]).toEqual([0, ['rejected', 'tool_denied', 'places']]);
  });

  it('a link that appears while the person thinks is seen when the call is about to run', async () => {
    const tool = world.sensitive('write', { resources: RESOURCES });
    const process = await ran('write', { path: 'later.txt' });
    expect(process.result?.value.stopReason).toBe('awaiting_approval');
    symlinkSync('../secret.txt', `${root}/later.txt`);
    await process.approveAll();
    await process.resume();
    expect([tool.count, told(process)]).toEqual([0, ['rejected', 'tool_denied', 'workspace_path']]);
  });

  it('an executor opens what the service gives it, whatever happened since the check', async () => {
    const tool = world.safe('look', { resources: RESOURCES });
    tool.work = async (args, context) => {
      rmSync(`${root}/a.txt`);
      symlinkSync('../secret.txt', `${root}/a.txt`);
      const service = context.services.get(WorkspacePaths.SERVICE_ID) as WorkspacePaths;
      const checked = await service.resolve(args.getString('path') ?? '', PathAccess.read);
      return checked.ok ? ToolResult.text(readFileSync(checked.value.realPath, 'utf8')) : ToolResult.error(checked.error.message);
    };
    const process = await ran('look', { path: 'a.txt' });
    expect(tool.count).toBe(1);
    expect(process.history().join('\n')).not.toContain('the secret');
    expect(process.history().join('\n')).toContain('the path leads outside the workspace');
  });
});
