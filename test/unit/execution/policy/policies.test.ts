import { describe, expect, it } from 'vitest';
import { AuthorizationResult, type AuthorizationPolicy, type AuthorizationRequest } from '@core/approval/AuthorizationPolicy';
import { Result } from '@core/base/Result';
import { DataClassAction, DataClassPolicy, SessionDataLabels } from '@core/execution/policy/DataClassPolicy';
import { AgentMode, ModePolicy, SessionModes } from '@core/execution/policy/ModePolicy';
import { NetworkPolicy } from '@core/execution/policy/NetworkPolicy';
import { NetworkTargets } from '@core/execution/policy/NetworkTargets';
import { StrictestAuthorizationPolicy } from '@core/execution/policy/StrictestAuthorizationPolicy';
import { UndeclaredResources } from '@core/execution/policy/UndeclaredResources';
import { WorkspacePathPolicy } from '@core/execution/policy/WorkspacePathPolicy';
import { WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import { JsonObject } from '@core/json/JsonObject';
import { ToolCall } from '@core/message/ToolCall';
import { ToolDefinition } from '@core/model/ToolDefinition';
import type { FileError } from '@core/port/FileSystem';
import { PathEntryKind, type PathResolver } from '@core/port/PathResolver';
import { ToolEffect } from '@core/tool/ToolContract';

function request(over: Partial<AuthorizationRequest> = {}, name = 'tool'): AuthorizationRequest {
  return {
    sessionId: 's', call: new ToolCall('c1', name, '{}', 0), definition: new ToolDefinition(name, 'does it', new JsonObject()), effect: ToolEffect.none,
    args: new JsonObject(), paths: [], hosts: [], declaresResources: true, ...over,
  };
}

async function said(policy: AuthorizationPolicy, over: Partial<AuthorizationRequest> = {}, name = 'tool'): Promise<string> {
  const answer = await policy.authorize(request(over, name));
  return answer.reason === '' ? answer.action : `${answer.action}: ${answer.reason}`;
}

/** Everything exists and is what it is called. */
class AllFiles implements PathResolver {
  readonly dropsTrailingDots = false;
  async realPath(path: string): Promise<Result<string, FileError>> {
    return Result.success<string, FileError>(path);
  }
  async kindOf(path: string): Promise<Result<PathEntryKind, FileError>> {
    return Result.success<PathEntryKind, FileError>(path.includes('.') ? PathEntryKind.file : PathEntryKind.directory);
  }
}

const workspace = async (): Promise<WorkspacePaths> => (await WorkspacePaths.open(new AllFiles(), [{ path: '/ws', writable: true }, { path: '/ws/lib', writable: false }])).value;
const network = (): NetworkTargets => NetworkTargets.create(undefined, { hosts: ['example.com', '1.1.1.1'] }).value;

describe('WorkspacePathPolicy', () => {
  it('reads where the tool has no effect, writes where it has one, and counts every path', async () => {
    const policy = new WorkspacePathPolicy(await workspace());
    expect(await said(policy, { paths: ['a.txt', 'lib/b.txt'] })).toBe('allow');
    for (const effect of [ToolEffect.reversible, ToolEffect.irreversible, 'odd' as ToolEffect]) expect(await said(policy, { effect, paths: ['a.txt', 'lib/b.txt'] })).toBe('reject: path 2 of 2 may only be read');
    expect(await said(policy, { paths: ['/etc/passwd'] })).toBe('reject: the path leads outside the workspace');
    expect(await said(policy, { paths: [] })).toBe('allow');
  });

  it('fails closed on resources of a wrong shape', async () => {
    const policy = new WorkspacePathPolicy(await workspace());
    for (const paths of [[undefined], [5], [['a.txt']], 'a.txt', null, { length: 0 }, new Array(300).fill('a.txt')]) expect(await said(policy, { paths: paths as never }), String(paths)).toMatch(/^reject: /);
  });
});

describe('NetworkPolicy', () => {
  it('judges URLs and bare hosts', async () => {
    const policy = new NetworkPolicy(network());
    for (const host of ['https://example.com/x', 'example.com', 'EXAMPLE.com.', 'example.com:8443', '1.1.1.1']) expect(await said(policy, { hosts: [host] }), host).toBe('allow');
    expect(await said(policy, { hosts: ['example.com', '127.0.0.1'] })).toBe('reject: URL 2 of 2 leads to a private or special address');
    for (const host of ['localhost', '::1', '[::1]', 'example.com:22', 'u@example.com', 'example.com#x', 'mailto:a@example.com', 'javascript:alert(1)', 'sms:10086', '', 'http://example.com/', 'example.com\\x', undefined, 5, {}]) {
      expect(await said(policy, { hosts: [host as never] }), String(host)).toMatch(/^reject: the URL /);
    }
    expect(await said(policy, { hosts: 'example.com' as never })).toMatch(/^reject: /);
  });
});

describe('tools that declare no resources', () => {
  it('are let through, asked about or refused, as configured; tools that are known to touch nothing pass', async () => {
    const undeclared = { declaresResources: false };
    for (const make of [(options: object) => new NetworkPolicy(network(), options), async (options: object) => new WorkspacePathPolicy(await workspace(), options)]) {
      expect(await said(await make({}), undeclared)).toBe('allow');
      expect(await said(await make({ undeclared: UndeclaredResources.ask }), undeclared)).toMatch(/^require_confirmation: the tool does not declare/);
      const closed = await make({ undeclared: UndeclaredResources.reject, undeclaredExempt: ['clock'] });
      expect(await said(closed, undeclared)).toMatch(/^reject: the tool does not declare/);
      expect(await said(closed, { declaresResources: undefined })).toMatch(/^reject/);
      expect(await said(closed, undeclared, 'clock')).toBe('allow');
      expect(await said(closed, {})).toBe('allow');
      expect(await said(await make({ undeclared: 'odd' }), undeclared)).toMatch(/^reject/);
    }
  });
});

describe('ModePolicy', () => {
  it('rejects an effect in read-only and plan mode, and in a mode that nobody knows', async () => {
    const modes = new SessionModes();
    const policy = new ModePolicy(modes, ['update_plan']);
    expect(await said(policy)).toBe('allow');
    expect(await said(policy, { effect: ToolEffect.reversible })).toBe('reject: read-only mode: nothing may be changed');
    expect(await said(policy, { effect: ToolEffect.reversible }, 'update_plan')).toBe('allow');
    modes.set('s', AgentMode.plan);
    expect(await said(policy, { effect: ToolEffect.irreversible })).toBe('reject: plan mode: nothing may be changed before the plan is accepted');
    modes.set('s', AgentMode.full);
    expect(await said(policy, { effect: ToolEffect.irreversible })).toBe('allow');
    expect(await said(policy, { effect: ToolEffect.irreversible, sessionId: 'other' })).toMatch(/^reject/);
    for (const odd of [() => { throw new Error('x'); }, () => undefined, () => 'FULL', async () => AgentMode.full]) expect(await said(new ModePolicy({ modeOf: odd as never }), { effect: ToolEffect.reversible })).toMatch(/^reject: read-only/);
  });
});

describe('DataClassPolicy', () => {
  const rules = [{ label: 'public', action: DataClassAction.allow }, { label: 'contacts', action: DataClassAction.ask }, { label: 'health', action: DataClassAction.reject }];

  it('judges what a call may carry out, the strictest label first', async () => {
    const labels = new SessionDataLabels();
    const policy = new DataClassPolicy(labels, rules, { outgoingTools: ['send_message'] });
    const out = { hosts: ['example.com'] };
    labels.begin('s');
    expect(await said(policy, out)).toBe('allow');
    labels.mark('s', 'public');
    expect(await said(policy, out)).toBe('allow');
    labels.mark('s', 'contacts');
    expect(await said(policy, out)).toBe('require_confirmation: data of the class "contacts" would be sent');
    expect(await said(policy)).toBe('allow');
    expect(await said(policy, {}, 'send_message')).toMatch(/^require_confirmation/);
    labels.mark('s', 'health');
    expect(await said(policy, out)).toBe('reject: data of the class "health" must not be sent');
    expect(labels.labelsOf('s')).toEqual(['public', 'contacts', 'health']);
  });

  it('rejects for a session whose labels nobody brought back, and for a label without a rule', async () => {
    const labels = new SessionDataLabels();
    const policy = new DataClassPolicy(labels, rules);
    expect(await said(policy, { hosts: ['a.com'] })).toBe('reject: data of the class "unknown" must not be sent');
    labels.mark('s', 'public');
    expect(await said(policy, { hosts: ['a.com'] })).toMatch(/^reject/);
    labels.begin('s', ['public']);
    expect(await said(policy, { hosts: ['a.com'] })).toBe('allow');
    labels.mark('s', 'new class');
    expect(await said(policy, { hosts: ['a.com'] })).toMatch(/^reject/);
  });
});

describe('StrictestAuthorizationPolicy', () => {
  const fixed = (name: string, answer: () => unknown): AuthorizationPolicy => ({ name, authorize: async () => answer() as AuthorizationResult });
  const allow = fixed('a', () => AuthorizationResult.allow());
  const ask = fixed('b', () => AuthorizationResult.requireConfirmation('sure?'));
  const reject = fixed('c', () => AuthorizationResult.reject('no'));

  it('reject before ask before allow, in the name of the policy that said it', async () => {
    const answer = async (...policies: AuthorizationPolicy[]): Promise<string[]> => {
      const one = await new StrictestAuthorizationPolicy(policies).authorize(request());
      return [one.action, one.by];
    };
    expect(await answer()).toEqual(['allow', '']);
    expect(await answer(allow, ask, allow)).toEqual(['require_confirmation', 'b']);
    expect(await answer(ask, allow, reject)).toEqual(['reject', 'c']);
    expect(await answer(allow, new StrictestAuthorizationPolicy([allow, reject]))).toEqual(['reject', 'c']);
    let asked = false;
    await answer(reject, fixed('d', () => { asked = true; }));
    expect(asked).toBe(false);
  });

  it('rejects when a policy fails or gives no answer', async () => {
    for (const fault of [() => { throw new Error('secret'); }, () => undefined, () => 'allow', () => ({ action: 'allow', reason: '' })]) {
      const one = await new StrictestAuthorizationPolicy([allow, fixed('d', fault)]).authorize(request());
      expect([one.action, one.by, one.reason.includes('secret')]).toEqual(['reject', 'd', false]);
    }
  });
});

describe('cost', () => {
  it('decides without a look-up within microseconds', async () => {
    const policy = new StrictestAuthorizationPolicy([new ModePolicy(new SessionModes()), new WorkspacePathPolicy(await workspace()), new NetworkPolicy(network())]);
    const one = request({ paths: ['notes/2024/report.txt'], hosts: ['https://example.com/api/v1/items?q=1'] });
    const round = async (count: number): Promise<number> => {
      const start = performance.now();
      for (let i = 0; i < count; i++) await policy.authorize(one);
      return ((performance.now() - start) * 1000) / count;
    };
    await round(2000);
    let best = Infinity;
    for (let i = 0; i < 40; i++) best = Math.min(best, await round(100));
    console.info(`one decision of three policies: ${best.toFixed(1)} µs`);
    // The wish is 20 µs for one policy; the limit is far above, so that a busy machine does not fail it.
    expect(best).toBeLessThan(100);
  });
});
