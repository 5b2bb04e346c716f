import { DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ErrorCatalog } from '@core/base/ErrorCatalog';
import { AgentController } from '@core/control/AgentController';
import { ToolAfterEvent, ToolBeforeEvent } from '@core/control/event/ToolEvents';
import { ResultSizer } from '@core/execution/artifact/ResultSizer';
import { RunMetrics } from '@core/execution/metrics/RunMetrics';
import { Redactor } from '@core/execution/redaction/Redactor';
import { SecretBook } from '@core/execution/redaction/SecretBook';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import { CallSecrets } from '@core/execution/vault/CallSecrets';
import { InMemorySecretVault } from '@core/execution/vault/InMemorySecretVault';
import type { AgentHook } from '@core/hook/AgentHook';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolResultHookResult } from '@core/hook/result/ToolResultHookResult';
import { JobFeature } from '@core/job/JobFeature';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { ScriptedProvider } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { AgentRuntime } from '@core/runtime/AgentRuntime';
import { StateCodec } from '@core/state/codec/StateCodec';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import { StateInvariants } from '@core/state/Invariants';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { StoppingStateStorage } from '@core/testing/StoppingStateStorage';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';
import type { ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import type { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import type { AgentState } from '@core/state/AgentState';
import { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { EventLog } from '../../support/EventLog';
import { hook } from '../run/harness';
import { Lines, plain } from '../secrets/desk';
import type { Grounds } from './Grounds';
import type { HostileText } from './texts';

export interface HostileCall {
  tool: string;
  args: HostileText;
  act: string;
}

export interface HostileCase {
  calls: HostileCall[];
  unknown: UnknownArgumentPolicy;
  vault: boolean;
  jobs: boolean;
  answer: 'approve' | 'deny' | 'edit' | 'cancel';
  /** What a hook puts in the place of the arguments, or a person by an edit. */
  other: HostileText;
  rewrites: boolean;
  direct: boolean;
}

const STATES = ['ok', 'rejected', 'failed', 'cancelled', 'unknown'];
/** Tools may bring codes of their own, written as codes are. */
const OWN_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const SPELLED = /\\+u([0-9a-fA-F]{4})/g;
const codec = new StateCodec();

/** One case: what it did wrong, as sentences; empty when the pipeline held. */
export class CaseRun {
  private readonly faults: string[] = [];
  private readonly outlets = new Lines();
  /** Everything that was told to anybody, as it was told. */
  private readonly kept: unknown[] = [];
  private readonly states: AgentState[] = [];
  private readonly clock = new ManualClock();
  private readonly scheduler = new ManualScheduler();

  constructor(private readonly grounds: Grounds, private readonly given: HostileCase) {}

  async run(): Promise<string[]> {
    const { given } = this;
    const texts = given.calls.map((call) => call.args.text);
    const others = given.rewrites || given.answer === 'edit' ? [given.other.text] : [];
    this.grounds.expect({ acts: given.calls.map((call) => call.act), texts: [...texts, ...others], unknown: given.unknown, movesMarks: given.rewrites && /secret:|\\u005bsecret|\\u0073\\u0065\\u0063\\u0072\\u0065\\u0074/.test(given.other.text) });
    await (given.direct ? this.callDirectly() : this.runLoop());
    this.faults.push(...this.grounds.faults);
    this.findLeaks();
    return this.faults;
  }

  private async callDirectly(): Promise<void> {
    const book = new SecretBook();
    const masks = new Redactor(book);
    const finished: ToolResultEnvelope[] = [];
    const pipeline = new ToolPipeline({
      registry: this.grounds.registry(this.given.unknown), hooks: new AgentHookPipeline(this.hooks(), this.scheduler), approvalPolicy: new DefaultToolApprovalPolicy(), authorizationPolicy: this.grounds.policy,
      clock: this.clock, scheduler: this.scheduler, redactor: masks, secrets: new CallSecrets(masks, book, this.given.vault ? new InMemorySecretVault() : undefined), maxArgumentChars: 200_000,
      sizer: new ResultSizer({ logger: this.outlets }), grace: { cancelGraceMs: 10, timeoutGraceMs: 10 }, auditSink: this.outlets,
      reporter: {
        callStarted: (...told) => void this.kept.push(told), callProgress: (...told) => void this.kept.push(told), diagnostics: (...told) => void this.kept.push(told),
        callFinished: (call, envelope, warnings) => { finished.push(envelope); this.kept.push([call, envelope, warnings]); },
      },
    });
    for (const call of this.given.calls) {
      const before = finished.length;
      const envelope = await this.settled(pipeline.call(call.tool, call.args.text, 's'));
      if (envelope === undefined) continue;
      this.judgeEnvelope(envelope);
      if (finished.length !== before + 1) this.faults.push(`a direct call was told ${finished.length - before} times`);
      this.kept.push(envelope);
    }
    this.grounds.settleLate();
    await turns(3);
  }

  private async runLoop(): Promise<void> {
    const log = new EventLog();
    const controller = new AgentController();
    log.listen(controller);
    const metrics = new RunMetrics();
    metrics.attach(controller);
    const provider = ScriptedProvider.answering((_request, at) => (at > 0 ? ScriptedTurn.text('ok') :
      this.given.calls.reduce((turn, call, index) => turn.call(`c${index}`, call.tool, call.args.text), new ScriptedTurn())));
    const jobs = new JobFeature({ jobAfterMs: 1000 });
    const registry = this.registry(jobs);
    const storage = new StoppingStateStorage(new InMemoryStateStorage(), true, (commit) => {
      const sound = StateInvariants.check(commit.next);
      if (!sound.ok) this.faults.push(`invariant: ${sound.error.message}`);
      this.states.push(commit.next);
    });
    const opened = await AgentRuntime.open({
      sessionId: 's', provider, toolRegistry: registry, stateStorage: storage, controller, hooks: this.hooks(), authorizationPolicy: this.grounds.policy, auditSink: this.outlets,
      ports: { clock: this.clock, scheduler: this.scheduler, ids: new CountingIdGenerator(), digest: new TestDigest(), logger: this.outlets },
      ...(this.given.vault ? { secretVault: new InMemorySecretVault() } : {}), ...(this.given.jobs ? { features: [jobs] } : {}),
    });
    if (!opened.ok) throw opened.error;
    const runtime = opened.value;
    const first = this.settled(runtime.runStream([AgentMessage.user('go')], log.observer()));
    if (this.given.answer === 'cancel') void turns(2).then(() => runtime.cancel('enough'));
    let result = await first;
    for (let round = 0; round < 6 && result?.ok === true && result.value.kind === 'suspended'; round++) {
      this.kept.push(controller.listPendingApprovals(), ...this.cards(runtime));
      for (const item of controller.listPendingApprovals()) {
        const decided = this.given.answer === 'approve' || round > 3 ? controller.approve(item.approvalId) :
          this.given.answer === 'edit' ? controller.approveWithArguments(item.approvalId, this.given.other.text) : controller.deny(item.approvalId, 'no');
        const answer = await this.settled(decided);
        this.kept.push(answer);
        if (answer?.ok === false && this.given.answer === 'edit') await this.settled(controller.deny(item.approvalId));
      }
      result = await this.settled(runtime.resume(log.observer()));
    }
    this.grounds.settleLate();
    await turns(3);
    const again = await this.settled(runtime.runStream([AgentMessage.user('and?')], log.observer()));
    await this.settled(runtime.close());
    this.judgeRun(runtime, log);
    this.judgeState();
    this.kept.push(result, again, metrics.snapshot(), log.busEvents, log.runEvents, provider.requests().map((request) => request.messages.toArray()));
  }

  private registry(jobs: JobFeature): ToolRegistry {
    const shared = this.grounds.registry(this.given.unknown);
    if (!this.given.jobs) return shared;
    const own = new ToolRegistry({ unknownArguments: this.given.unknown });
    shared.copyInto(own);
    jobs.register(own);
    return own;
  }

  /** A hook that rewrites arguments, and one that rewrites results into something odd. */
  private hooks(): AgentHook[] {
    if (!this.given.rewrites) return [];
    const { other } = this.given;
    const secret = other.secrets.map((planted) => planted.text).join(' ');
    return [hook('rewrites', {
      beforeToolCall: async (context) => ToolCallHookResult.proceed(context.call.withArguments(other.text), `saw ${secret}`),
      afterToolCall: async (context) => ToolResultHookResult.proceed(new ToolResult([...context.result.contents, ContentPart.text(other.text)], context.result.isError, context.result.stopFlag), [AgentMessage.user(`said ${secret}`)]),
    })];
  }

  /** Waits, letting time pass; a promise that never settles is a fault. */
  private async settled<T>(work: Promise<T>): Promise<T | undefined> {
    const box: { done: boolean; value?: T } = { done: false };
    work.then((value) => { box.done = true; box.value = value; }, (error: Error) => {
      box.done = true;
      this.faults.push(`rejected: ${String(error?.message ?? error)}`);
    });
    for (let round = 0; round < 40; round++) {
      await turns(round < 2 ? 1 : 3);
      if (box.done) return box.value;
      this.scheduler.advance(3000);
    }
    this.faults.push('never settled');
    return undefined;
  }

  private judgeEnvelope(envelope: ToolResultEnvelope): void {
    const listed = envelope.code === '' ? envelope.status === 'ok' || envelope.status === 'failed' : ErrorCatalog.find(envelope.code) !== undefined || (this.given.calls.some((call) => call.act.endsWith('Code')) && OWN_CODE.test(envelope.code));
    if (!STATES.includes(envelope.status) || !listed) this.faults.push(`${envelope.tool} ended as ${envelope.status} with the code ${envelope.code}`);
  }

  private judgeRun(runtime: AgentRuntime, log: EventLog): void {
    const before = log.busEvents.filter((event) => event instanceof ToolBeforeEvent);
    const after = log.busEvents.filter((event) => event instanceof ToolAfterEvent);
    after.forEach((event) => this.judgeEnvelope(event.envelope));
    const history = runtime.snapshot().history.toArray();
    const answers = history.filter((message) => message.role === MessageRole.tool).map((message) => message.toolCallId);
    const ids = this.given.calls.map((_call, at) => `c${at}`);
    if (answers.join() !== ids.join()) this.faults.push(`answers: ${answers.join()}`);
    for (const id of ids) {
      const starts = before.filter((event) => event.call.id === id).length;
      const ends = after.filter((event) => event.call.id === id).length;
      if (starts > ends || ends !== 1) this.faults.push(`${id} was told before ${starts} and after ${ends} times`);
    }
  }

  /** What a person would see now. */
  private cards(runtime: AgentRuntime): ReadonlyArray<object> {
    const batch = runtime.getPendingApprovalBatch();
    const tools = { words: new Words('en'), captions: new ToolCaptions(), times: new LocalTimeText() };
    return batch === undefined ? [] : ApprovalCardModel.openOnes(batch, tools, this.clock.nowMs());
  }

  private judgeState(): void {
    const text = codec.encode(this.states[this.states.length - 1]).value;
    const back = codec.decode(text);
    if (!back.ok || codec.encode(back.value).value !== text) this.faults.push('the state does not survive its text form');
  }

  /** In no outlet, neither as it is nor spelled with escapes. */
  private findLeaks(): void {
    const secrets = [...this.given.calls.flatMap((call) => call.args.secrets), ...this.given.other.secrets];
    if (secrets.length === 0) return;
    const texts = [...this.outlets.lines, ...this.kept.map(plain), ...this.states.map((state) => codec.encode(state).value)];
    for (const text of texts.flatMap((told) => (told.includes('\\u') ? [told, told.replace(SPELLED, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))] : [told]))) {
      const found = secrets.find((secret) => text.includes(secret.core));
      if (found !== undefined) this.faults.push(`leak: …${text.slice(Math.max(0, text.indexOf(found.core) - 120)).slice(0, 140)}…`);
    }
  }
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise<void>((resolve) => setImmediate(resolve));
}
