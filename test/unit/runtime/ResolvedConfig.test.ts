import { describe, expect, it } from 'vitest';
import type { AgentFeature } from '@core/control/AgentFeature';
import { JsonObject } from '@core/json/JsonObject';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { ResolvedConfig } from '@core/runtime/config/ResolvedConfig';
import { ScriptedProvider } from '@core/provider/ScriptedProvider';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { RecordingTool } from '@core/testing/RecordingTool';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolCatalog } from '@core/tool/ToolCatalog';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ListLogger, hook } from '../../scenario/run/harness';
import { json } from './support';

const logger = new ListLogger();
const ports = { clock: new ManualClock(), scheduler: new ManualScheduler(), ids: new CountingIdGenerator(), digest: new TestDigest(), logger };
const config = (over: Partial<AgentConfig> = {}): AgentConfig => ({ sessionId: 's', provider: ScriptedProvider.answering(() => { throw new Error('not asked'); }), ports, ...over });
const resolved = (over: Partial<AgentConfig> = {}): ResolvedConfig => ResolvedConfig.of(config(over)).value;
const problems = (over: object): unknown => {
  const made = ResolvedConfig.of({ ...config(), ...over } as AgentConfig);
  return made.ok ? [] : made.error.details?.get('problems');
};

describe('the configuration of a session', () => {
  it('has a default for everything that may be left out', () => {
    const made = resolved();
    expect([made.systemPrompt, made.modelOptions, made.registry.list(), made.selectors, made.features, made.hooks, made.approvalScope, made.batchDenyMode, made.approvalTtlMs, made.approvalWarnBeforeMs, made.grants, made.unknownOutcomePolicy, made.loopNudge, made.redaction, made.auditSink]).toEqual(
      ['', {}, [], [], [], [], 'flagged', 'atomic', undefined, 0, {}, 'report', undefined, {}, undefined]);
    expect([made.storage instanceof InMemoryStateStorage, made.storage.durable, made.limits.maxTurns, made.metadata.size, made.logger === logger]).toEqual([true, false, 50, 0, true]);
    const { logger: _left, ...quiet } = ports;
    expect(() => resolved({ ports: quiet }).logger.log('warn' as never, 't', 'm')).not.toThrow();
  });

  it('takes over what is given', () => {
    const given = {
      systemPrompt: 'p', modelOptions: { temperature: 1 }, toolRegistry: new ToolRegistry(), approvalScope: 'whole_batch', batchDenyMode: 'independent', approvalTtlMs: 10, approvalWarnBeforeMs: 5, grants: { maxGrants: 1 }, unknownOutcomePolicy: 'ask', loopNudge: 'n',
      stateStorage: new InMemoryStateStorage(), redaction: { input: true }, metadata: new JsonObject(), loopDetector: {}, approvalPolicy: {}, authorizationPolicy: {}, services: {}, secretVault: {}, artifactStore: {}, controller: {},
    } as unknown as Partial<AgentConfig>;
    const made = resolved(given) as unknown as Record<string, unknown>;
    const names: Record<string, string> = { toolRegistry: 'registry', stateStorage: 'storage', loopDetector: 'detector' };
    for (const [name, value] of Object.entries(given)) expect(made[names[name] ?? name], name).toBe(value);
    const catalog = new ToolCatalog();
    expect(resolved({ toolCatalog: catalog }).registry).toBe(catalog.registry);
    expect([resolved({ limits: { maxTurns: 3 } }).limits.maxTurns, resolved({ auditSink: { record: () => undefined } }).auditSink?.faultCount]).toEqual([3, 0]);
  });

  it('the app\'s hooks and selector come before those of the features, and later changes of the lists are not seen', () => {
    const selector = { select: () => { throw new Error('x'); } };
    const feature = (name: string, own: object | undefined): AgentFeature => ({ hooks: () => [hook(name, {})], selector: () => own }) as unknown as AgentFeature;
    const features = [feature('one', undefined), feature('two', { name: 'two' })];
    const hooks = [hook('app', {})];
    const made = resolved({ hooks, toolSelector: selector, features });
    expect(hooks.length, 'the app\'s own list stays as it is').toBe(1);
    features.length = 0;
    expect([made.hooks.map((one) => one.name), made.selectors.length, made.selectors[0] === selector, made.features.length]).toEqual([['app', 'one', 'two'], 2, true, 2]);
  });

  it('a question that would not survive is worth a word, and only then', () => {
    const registry = (risk: ToolRiskLevel): ToolRegistry => {
      const made = new ToolRegistry();
      made.register(new ToolDefinition('look', 'd', json('{"type":"object"}'), ToolRiskLevel.safe), new RecordingTool());
      made.register(new ToolDefinition('pay', 'd', json('{"type":"object"}'), risk), new RecordingTool());
      return made;
    };
    const words = (over: Partial<AgentConfig>): number => {
      logger.lines.length = 0;
      resolved(over);
      return logger.lines.filter((line) => line.startsWith('warn ')).length;
    };
    const durable = Object.defineProperty(new InMemoryStateStorage(), 'durable', { value: true });
    expect([words({ toolRegistry: registry(ToolRiskLevel.sensitive) }), words({ toolRegistry: registry(ToolRiskLevel.safe) }), words({ toolRegistry: registry(ToolRiskLevel.dangerous), stateStorage: durable }), words({})]).toEqual([1, 0, 0, 0]);
  });
});

describe('a configuration that is not usable', () => {
  it.each<[string, object, string[]]>([
    ['no session', { sessionId: undefined }, ['sessionId is missing']],
    ['a session that is no text', { sessionId: 7 }, ['sessionId is missing']],
    ['a blank session', { sessionId: ' ' }, ['sessionId must have 1 to 200 characters and not be blank']],
    ['a session of 201 characters', { sessionId: 'x'.repeat(201) }, ['sessionId must have 1 to 200 characters and not be blank']],
    ['no provider', { provider: null }, ['provider is missing']],
    ['no ports', { ports: undefined }, ['ports is missing']],
    ['ports that are null', { ports: null }, ['ports is missing']],
    ['empty ports', { ports: {} }, ['ports.clock is missing', 'ports.scheduler is missing', 'ports.ids is missing', 'ports.digest is missing']],
    ['registry and catalog', { toolRegistry: new ToolRegistry(), toolCatalog: new ToolCatalog() }, ['toolRegistry and toolCatalog exclude each other']],
    ['no time to answer', { approvalTtlMs: 0 }, ['approvalTtlMs must be a whole number of milliseconds above 0']],
    ['half a millisecond to answer', { approvalTtlMs: 1.5 }, ['approvalTtlMs must be a whole number of milliseconds above 0']],
    ['a warning without a time', { approvalWarnBeforeMs: 5 }, ['approvalWarnBeforeMs must be a whole number of milliseconds above 0 and below approvalTtlMs']],
    ['a warning at once', { approvalTtlMs: 5, approvalWarnBeforeMs: 5 }, ['approvalWarnBeforeMs must be a whole number of milliseconds above 0 and below approvalTtlMs']],
    ['a warning at no time', { approvalTtlMs: 5, approvalWarnBeforeMs: 0 }, ['approvalWarnBeforeMs must be a whole number of milliseconds above 0 and below approvalTtlMs']],
    ['half a warning', { approvalTtlMs: 5, approvalWarnBeforeMs: 1.5 }, ['approvalWarnBeforeMs must be a whole number of milliseconds above 0 and below approvalTtlMs']],
    ['a blank nudge', { loopNudge: ' ' }, ['loopNudge must not be blank']],
    ['less than no grants', { grants: { maxGrants: -1 } }, ['grants.maxGrants must be a whole number of at least 0']],
    ['half a grant', { grants: { maxGrants: 0.5 } }, ['grants.maxGrants must be a whole number of at least 0']],
    ['a limit out of range', { limits: { maxTurns: 0 } }, ['limits.maxTurns must be a whole number of at least 1']],
    ['two faults', { sessionId: '', loopNudge: '' }, ['sessionId must have 1 to 200 characters and not be blank', 'loopNudge must not be blank']],
  ])('%s: config_invalid names it', (_name, over, named) => {
    expect(problems(over)).toEqual(named);
  });

  it('what is just within is fine', () => {
    for (const over of [{ sessionId: 'x'.repeat(200) }, { approvalTtlMs: 1 }, { approvalTtlMs: 2, approvalWarnBeforeMs: 1 }, { grants: { maxGrants: 0 } }, { grants: {} }, { toolCatalog: new ToolCatalog() }, { loopNudge: 'n' }]) expect(problems(over)).toEqual([]);
    const bad = ResolvedConfig.of(config({ sessionId: '' }));
    expect([bad.error.code, bad.error.message]).toEqual(['config_invalid', 'the configuration is not usable: sessionId must have 1 to 200 characters and not be blank']);
  });
});
