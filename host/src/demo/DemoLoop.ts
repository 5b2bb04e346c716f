import {
  AgentMessage, ApprovalDecision, BaseObserver, CancellationController, type AgentEvent, type AgentState, type ApprovalDecisionResult,
  type ArkAgentError, type PendingApprovalBatch, type PendingApprovalItem, type Result, type RunOutcome,
} from 'agent_core';
import { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { RestoredLine } from '../../../entry/src/main/ets/viewmodel/RestoredLine.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import type { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { ExitCode } from '../ExitCode';
import type { Interrupts } from '../terminal/Interrupts';
import type { Person, PersonAnswer } from '../terminal/Person';
import type { DemoAgent } from './DemoAgent';
import type { DemoOutput } from './DemoOutput';

export interface DemoLoopParts {
  readonly agent: DemoAgent;
  readonly person: Person;
  readonly output: DemoOutput;
  readonly interrupts: Interrupts;
  readonly words: Words;
  /** What an empty message means. */
  readonly suggestion: string;
  /** Said without asking: always, or only in a session that is still empty. */
  readonly firstMessage: string | undefined;
  /** Leave after the first ending. */
  readonly once: boolean;
  /** Offer to kill this process when the card is shown. */
  readonly mayKill: boolean;
  /** Die by SIGKILL once a decision is stored and said; only for `--auto` and the crash tests. */
  readonly dieAfterDecision: boolean;
  readonly online: boolean;
}

class EventForwarder extends BaseObserver<AgentEvent> {
  constructor(private readonly output: DemoOutput) {
    super();
  }

  override onNext(event: AgentEvent): void {
    this.output.event(event);
  }
}

/**
 * The conversation: whatever is open comes first (question, then unfinished work), only then a new message. Nothing is
 * continued silently: the restored line has been written before.
 */
export class DemoLoop {
  private said = false;

  constructor(private readonly parts: DemoLoopParts) {}

  /** @returns how the process should end */
  async run(): Promise<ExitCode> {
    this.start();
    for (;;) {
      const step = await this.step();
      if (step !== undefined) return step;
    }
  }

  private start(): void {
    const { runtime } = this.parts.agent;
    const state = runtime.snapshot();
    const line = RestoredLine.of(state, runtime.restored, this.parts.words, new LocalTimeText(), Date.now());
    this.parts.output.start({ restored: runtime.restored, line, revision: state.revision, online: this.parts.online });
  }

  /** @returns undefined to go on */
  private async step(): Promise<ExitCode | undefined> {
    const batch = this.parts.agent.controller.listPendingBatches().find((one: PendingApprovalBatch) => !one.allDecided());
    if (batch !== undefined) return this.ask(batch);
    if (this.parts.agent.hasOpenWork) return this.segment((signal) => this.parts.agent.runtime.resume(new EventForwarder(this.parts.output), signal));
    const text = await this.nextMessage();
    if (text === undefined) return ExitCode.Done;
    this.parts.output.message(text);
    return this.segment((signal) => this.parts.agent.runtime.runStream([AgentMessage.user(text)], new EventForwarder(this.parts.output), signal));
  }

  private async nextMessage(): Promise<string | undefined> {
    const first = this.said ? undefined : this.parts.firstMessage;
    if (this.parts.once && (this.said || !this.parts.agent.isFresh)) return undefined;
    this.said = true;
    if (first !== undefined) return first;
    this.parts.interrupts.on(() => this.parts.person.interrupt());
    return this.parts.person.message(this.parts.suggestion);
  }

  private async ask(batch: PendingApprovalBatch): Promise<ExitCode | undefined> {
    const { agent, output, person } = this.parts;
    const item = batch.items.find((one: PendingApprovalItem) => one.isPending())!;
    const card = new ApprovalCardModel(batch, item, { words: this.parts.words, captions: agent.captions, times: new LocalTimeText() }, Date.now());
    output.card(card, agent.runtime.snapshot().revision);
    this.parts.interrupts.on(() => person.interrupt());
    const answer = await person.decide(card, this.parts.mayKill);
    if (answer.kind === 'later') {
      output.later();
      return ExitCode.Done;
    }
    if (answer.kind === 'kill') {
      output.dying();
      process.kill(process.pid, 'SIGKILL');
    }
    this.report(item, await this.decide(item.approvalId, answer));
    return undefined;
  }

  private decide(approvalId: string, answer: PersonAnswer): Promise<ApprovalDecisionResult> {
    const { controller } = this.parts.agent;
    if (answer.kind === 'edit') return controller.approveWithArguments(approvalId, answer.argumentsJson);
    return answer.kind === 'deny' ? controller.deny(approvalId, answer.reason === '' ? undefined : answer.reason) : controller.approve(approvalId);
  }

  private report(asked: PendingApprovalItem, result: ApprovalDecisionResult): void {
    if (!result.ok) {
      this.parts.output.refused(result.error!);
      return;
    }
    this.parts.output.decided(standingItem(this.parts.agent.runtime.snapshot(), asked));
    if (this.parts.dieAfterDecision) process.kill(process.pid, 'SIGKILL');
  }

  private async segment(begin: (signal: CancellationController['signal']) => Promise<Result<RunOutcome, ArkAgentError>>): Promise<ExitCode | undefined> {
    const control = new CancellationController();
    this.parts.interrupts.on(() => {
      // The first Ctrl-C asks the run to stop; the second one leaves as a kill would, and the session survives that too.
      if (!control.cancel('Ctrl-C')) process.exit(ExitCode.Interrupted);
      this.parts.output.stopHint();
    });
    const outcome = await begin(control.signal);
    if (!outcome.ok) {
      this.parts.output.failed(outcome.error);
      return this.parts.once || this.parts.agent.hasOpenWork ? ExitCode.Failed : undefined;
    }
    if (outcome.value.kind !== 'suspended') this.parts.output.ended(outcome.value.stopReason);
    return undefined;
  }
}

/** The item with its standing decision: in the open batch, or by its receipt when another process has closed the batch meanwhile. */
function standingItem(state: AgentState, asked: PendingApprovalItem): PendingApprovalItem {
  const open = state.pendingApproval?.find(asked.approvalId);
  if (open !== undefined) return open;
  const receipt = state.receipts.map((one) => one.find(asked.approvalId)).find((entry) => entry !== undefined);
  if (receipt === undefined) return asked;
  return receipt.decision === ApprovalDecision.denied ? asked.denied(receipt.decidedBy, receipt.decidedAtMs) : asked.approved(receipt.decidedBy, receipt.decidedAtMs);
}
