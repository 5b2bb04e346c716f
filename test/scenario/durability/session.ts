import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import { type AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { AgentState } from '@core/state/AgentState';
import type { StateStorage } from '@core/state/StateStorage';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { Ending, Process } from '../../support/Process';
import { encoded, World } from '../../support/World';

export const STEP_KINDS = ['say', 'approve', 'deny', 'edit', 'denyAll', 'resume', 'cancel', 'suspend', 'kill', 'reopen', 'cut', 'fail', 'killInEffect',
  'second', 'race', 'race', 'redecide', 'wait', 'cancelRun', 'suspendResume', 'cancelResume', 'approveAll', 'resume', 'approveAll', 'resume', 'say', 'say'] as const;

/** One operation; `a` and `b` choose what it works on. */
export interface Step {
  kind: (typeof STEP_KINDS)[number];
  a: number;
  b: number;
}

const FAULTS = [CommitFault.stopBefore, CommitFault.stopAfter, CommitFault.failBefore, CommitFault.failAfter];

const ENDINGS = new Set<Ending>(['complete', 'awaiting_approval', 'cancelled', 'suspended', 'stopped', 'state_conflict', 'state_save_failed',
  'pending_approval_blocks_input', 'resume_required', 'resume_nothing_pending', 'session_not_resumable', 'run_already_active', 'provider_server_error']);

function turn(kind: number): ScriptedTurn {
  switch (kind) {
    case 0:
      return ScriptedTurn.text('fine');
    case 1:
      return ScriptedTurn.call('c1', 'read', '{}');
    case 2:
      return new ScriptedTurn().call('c1', 'read', '{"n":1}').call('c2', 'pay', '{"n":2}').call('c3', 'read', '{"n":3}');
    case 3:
      return new ScriptedTurn().call('x', 'pay', '{"n":1}').call('x', 'pay', '{"n":2}');
    case 4:
      return new ScriptedTurn().call('c1', 'put', '{"n":1}').call('c2', 'pay', '{"n":2}');
    case 5:
      return new ScriptedTurn().call('c1', 'ghost', '{}').call('c2', 'put', '{}');
    case 6:
      return new ScriptedTurn().text('half').fail(ArkAgentError.of(ErrorCode.providerServerError, 'down'), undefined);
    default:
      return ScriptedTurn.call('c1', 'pay', '{"n":7}');
  }
}

function fault(message: string): never {
  throw new Error(message);
}

/**
 * A session with its books: what people decided, what reached the disk, what ran. Throws when they disagree:
 * an effect twice, an effect without a stored yes or beside a stored no, a reported decision that is not on the disk,
 * an ending that nobody may see, a request with unpaired calls.
 */
export class Session {
  readonly world: World;
  readonly endings: Ending[] = [];
  commits = 0;
  private readonly pay: RecordingTool;
  private readonly put: RecordingTool;
  /** Rounds that a person approved, by call. */
  private readonly yes = new Map<string, Set<number>>();
  private readonly refused = new Set<string>();
  private readonly reported = new Map<string, string>();
  private readonly script: ScriptedTurn[] = [];
  private main!: Process;
  private other: Process | undefined = undefined;
  private killInEffect = 0;
  private wrong: string | undefined = undefined;

  /** @param openDisk where the session lives; default: in memory */
  constructor(private readonly unknownOutcomePolicy: UnknownOutcomePolicy, openDisk?: () => StateStorage) {
    this.world = new World({ openDisk });
    this.world.safe('read');
    this.pay = this.world.dangerous('pay');
    this.put = this.world.sensitive('put', { idempotent: true });
    for (const tool of [this.pay, this.put]) {
      tool.work = async () => this.effect(tool);
    }
    this.world.onCommit = (commit) => {
      this.commits++;
      for (const item of commit.next.pendingApproval?.items ?? []) {
        const key = item.approvalId.split(':').slice(0, 2).join(':');
        if (item.decision === 'approved' && item.decidedBy === 'person') this.yes.set(key, this.yes.get(key)?.add(item.round) ?? new Set([item.round]));
        // A denied repetition stops only itself: its batch has begun.
        if (item.decision === 'denied' && item.kind === 'call') this.refused.add(item.approvalId.split(':')[0]);
      }
    };
  }

  /** How often a tool with an effect ran. */
  get effects(): number {
    return this.pay.count + this.put.count;
  }

  async begin(): Promise<void> {
    this.main = await this.start();
  }

  async take(step: Step): Promise<void> {
    await this.perform(step);
    await this.audit();
  }

  /** A person comes back and answers everything; then the session must be at an end or say that it takes no more. */
  async settle(): Promise<void> {
    this.main.kill();
    this.other?.kill();
    this.killInEffect = 0;
    this.main = await this.start();
    for (let round = 0; round < 20 && this.isOpen(); round++) {
      for (const id of this.main.questions()) {
        await this.decide(this.main, id, true);
      }
      this.note(await this.main.resume());
    }
    const last = await this.main.say('the end');
    const possible = this.main.runtime.snapshot().resumable ? ['complete', 'provider_server_error', 'awaiting_approval'] : ['session_not_resumable'];
    if (!possible.includes(last)) fault(`the session ended with ${last}`);
    await this.audit();
  }

  private async perform(step: Step): Promise<void> {
    const on = this.main;
    switch (step.kind) {
      case 'say':
        this.script.push(turn(step.a), turn(step.b));
        return this.say(on);
      case 'resume':
        return this.note(await on.resume());
      case 'approve':
      case 'deny':
        return this.decide(on, this.pick(on, step.a), step.kind === 'approve');
      case 'edit':
        return this.decide(on, this.pick(on, step.a), true, '{"n":5}');
      case 'redecide': {
        const known = [...this.reported.keys()];
        return known.length === 0 ? undefined : this.decide(on, known[step.a % known.length], step.b % 2 === 0);
      }
      case 'approveAll':
        for (const id of on.questions()) await this.decide(on, id, true);
        return undefined;
      case 'denyAll': {
        const batch = on.runtime.getPendingApprovalBatch();
        if (batch !== undefined) await this.race(on, on.controller.denyAll(batch.batchId, 'no'));
        return undefined;
      }
      case 'cancel':
        await this.race(on, on.runtime.cancel('stop'));
        return undefined;
      case 'suspend':
        this.script.push(turn(step.a));
        return this.interrupt(on, on.say('go'), step.b * 5, () => on.runtime.suspend('background'));
      case 'cancelRun':
        this.script.push(turn(step.a));
        return this.interrupt(on, on.say('go'), step.b * 5, () => on.runtime.cancel('stop'));
      case 'suspendResume':
        return this.interrupt(on, on.resume(), step.a * step.b * 3, () => on.runtime.suspend('background'));
      case 'cancelResume':
        return this.interrupt(on, on.resume(), step.a * step.b * 3, () => on.runtime.cancel('stop'));
      case 'kill':
        on.kill();
        this.main = await this.start();
        return undefined;
      case 'reopen':
        await this.race(on, on.runtime.close());
        this.main = await this.start();
        return undefined;
      case 'cut':
      case 'fail':
        on.storage.plan(step.a + 1, FAULTS[(step.kind === 'cut' ? 0 : 2) + step.b % 2]);
        on.storage.failMarks = step.b > 5;
        return undefined;
      case 'killInEffect':
        this.killInEffect = 1 + step.a % 2;
        return undefined;
      case 'second':
        return this.secondOwner(step);
      case 'race':
        return this.raceOwners(step);
      default:
        this.world.clock.advance(step.a * 1000 - 2000);
        return undefined;
    }
  }

  /** Input; refused without a trace while a person's question or a person's yes waits. */
  private async say(on: Process): Promise<void> {
    const stored = (await this.world.disk.load(this.world.sessionId)).value;
    const known = on.runtime.snapshot();
    const fresh = stored !== undefined && stored.resumable && known.resumable && stored.revision === known.revision;
    const waits = fresh && this.personIsOwed(stored);
    const before = waits ? encoded(stored) : '';
    const ending = await on.say('go');
    this.note(ending);
    if (waits && (ending !== 'pending_approval_blocks_input' || await this.world.storedText() !== before)) {
      fault(`input was taken while a question waited: ${ending}`);
    }
  }

  private personIsOwed(state: AgentState): boolean {
    const pending = state.pendingApproval;
    if (pending === undefined) return false;
    return !pending.allDecided() || (state.openBatch?.calls ?? []).some((call) => {
      const item = pending.latestAt(call.position);
      return item?.decision === 'approved' && item.decidedBy === 'person' && ['awaiting', 'planned', 'allowed'].includes(call.status);
    });
  }

  /** Lets a run go on for some microtasks, then asks it to stop. */
  private async interrupt(on: Process, run: Promise<Ending>, after: number, stop: () => Promise<unknown>): Promise<void> {
    for (let wait = 0; wait < after; wait++) await Promise.resolve();
    await this.race(on, stop());
    this.note(await run);
  }

  private async secondOwner(step: Step): Promise<void> {
    if (this.other === undefined || this.other.storage.stopped || step.b === 0) {
      this.other = await this.start();
    }
    const on = this.other;
    switch (step.a) {
      case 0:
      case 1:
        return this.decide(on, this.pick(on, step.b), step.a === 0);
      case 2:
        for (const id of on.questions()) await this.decide(on, id, true);
        return undefined;
      case 3:
      case 4:
        return this.note(await on.resume());
      case 5:
        await this.race(on, on.runtime.cancel('other'));
        return undefined;
      case 6:
        return this.note(await on.say('from the other'));
      default:
        return undefined;
    }
  }

  private async raceOwners(step: Step): Promise<void> {
    this.other = await this.start();
    const on = this.other;
    const here = this.main;
    if (step.a < 3) {
      await Promise.all([here.resume().then((ending) => this.note(ending)), on.resume().then((ending) => this.note(ending))]);
    } else if (step.a < 6) {
      await Promise.all([this.decide(here, this.pick(here, step.b), true), this.decide(on, this.pick(on, step.b % 3), step.a === 3)]);
    } else {
      await Promise.all([here.resume().then((ending) => this.note(ending)), this.race(on, on.runtime.cancel('race'))]);
    }
  }

  private async start(): Promise<Process> {
    return this.world.open({
      config: { unknownOutcomePolicy: this.unknownOutcomePolicy },
      responder: (request) => {
        this.expectPairs(request.messages.toArray(), 'a request');
        return this.script.shift() ?? ScriptedTurn.text('ok');
      },
    });
  }

  private pick(on: Process, at: number): string {
    const open = on.questions();
    return open.length === 0 ? 'none:0:0' : open[at % open.length];
  }

  private async decide(on: Process, id: string, approve: boolean, edit?: string): Promise<void> {
    const asked = edit !== undefined ? on.controller.approveWithArguments(id, edit) :
      approve ? on.controller.approve(id) : on.controller.deny(id, 'no');
    const answer = await this.race(on, asked);
    if (answer?.ok) {
      const before = this.reported.get(id);
      if (before !== undefined && before !== answer.decision) fault(`${id} was reported as ${before} and then as ${answer.decision}`);
      this.reported.set(id, answer.decision);
    }
    if (answer?.error?.code === ErrorCode.stateConflict) fault('a losing decision must not end with state_conflict');
  }

  /** The answer, or undefined when the process died before it came. */
  private async race<T>(on: Process, asked: Promise<T>): Promise<T | undefined> {
    const answer = await Promise.race([asked, on.storage.whenStopped.then(() => undefined)]);
    return answer;
  }

  private effect(tool: RecordingTool): ToolResult | Promise<ToolResult> {
    const run = tool.runs[tool.runs.length - 1];
    const key = run.idempotencyKey;
    if (!this.yes.has(key)) this.wrong = `${key} ran without a stored yes`;
    if (this.refused.has(key.split(':')[0])) this.wrong = `${key} ran beside a stored no`;
    const allowed = this.yes.get(key)?.size ?? 0;
    if (tool === this.pay && tool.runs.filter((known) => known.idempotencyKey === key).length > allowed) this.wrong = `${key} happened more often than a person allowed`;
    if (this.killInEffect > 0) {
      this.killInEffect--;
      if (this.killInEffect === 0) {
        this.main.kill();
        this.other?.kill();
      }
    }
    return ToolResult.text('done');
  }

  private note(ending: Ending): void {
    this.endings.push(ending);
    if (!ENDINGS.has(ending)) fault(`an ending that nobody expects: ${ending}`);
  }

  private isOpen(): boolean {
    const state = this.main.runtime.snapshot();
    return state.resumable && state.run !== undefined && state.run.status !== 'finished';
  }

  private async audit(): Promise<void> {
    if (this.main.storage.stopped) {
      this.main = await this.start();
    }
    if (this.wrong !== undefined) fault(this.wrong);
    if (this.world.violations.length > 0) fault(this.world.violations.join('\n'));
    const stored = (await this.world.disk.load(this.world.sessionId)).value;
    for (const [id, decision] of this.reported) {
      const standing = stored?.pendingApproval?.find(id)?.decision ?? stored?.receipts.map((receipt) => receipt.find(id)?.decision).find((known) => known !== undefined);
      if (standing !== decision) fault(`${id} was reported as ${decision}, the disk says ${standing}`);
    }
  }

  private expectPairs(messages: ReadonlyArray<AgentMessage>, where: string): void {
    for (let at = 0; at < messages.length; at++) {
      if (messages[at].role === MessageRole.tool) this.wrong = `${where}: message ${at} answers nothing`;
      for (const call of messages[at].toolCalls) {
        at++;
        if (messages[at]?.toolCallId !== call.id) this.wrong = `${where}: ${call.id} has no result`;
      }
    }
  }
}
