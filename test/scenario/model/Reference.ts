import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { MessageRole } from '@core/message/AgentMessage';
import type { AgentState } from '@core/state/AgentState';
import { BatchBook, CallBook, type CallPlan, Question, type Verdict } from './BatchBook';

/** How a world is set up. */
export interface Rules {
  /** One no stops the whole batch. */
  atomic: boolean;
  /** Every call of a frozen batch is decided by a person. */
  whole: boolean;
  /** A person is asked whether to repeat a call of unknown outcome. */
  asksRetry: boolean;
  /** Observers are attached: the last decision continues the run by itself. */
  attached: boolean;
}

export function fault(message: string): never {
  throw new Error(message);
}

/**
 * The reference: what the rules allow, kept from the script, the commands and the commits alone. `committed` refuses a commit
 * that no rule allows; the `expect` methods say how a command must be answered by a process that knows the newest state.
 */
export class Reference {
  status: 'none' | 'running' | 'suspended' | 'finished' = 'none';
  stopReason = '';
  /** Writers of the commits, oldest first. */
  readonly writers: number[] = [];
  batch: BatchBook | undefined = undefined;
  readonly batches: BatchBook[] = [];
  /** Script lines by call id, and texts of turns, as the model was asked for them. */
  readonly plans = new Map<string, CallPlan>();
  readonly texts = new Set<string>();
  /** Decisions that were asked for and not answered yet. */
  readonly wanted: { id: string; verdict: Verdict; edit?: string }[] = [];
  /** Processes that were asked to end, pause or resume their run. */
  readonly cancelling = new Set<number>();
  readonly pausing = new Set<number>();
  readonly resuming = new Set<number>();
  /** The highest time that any process can have seen. */
  peakMs = 0;

  constructor(readonly rules: Rules) {}

  /** Commits that other processes made. */
  byOthers(pid: number): number {
    return this.writers.filter((writer) => writer !== pid).length;
  }

  question(id: string): Question | undefined {
    return this.batches.flatMap((batch) => batch.questions).find((question) => question.id === id);
  }

  openQuestions(): string[] {
    return this.batch?.questions.filter((question) => question.verdict === 'open').map((question) => question.id) ?? [];
  }

  call(key: string): { batch: BatchBook; call: CallBook } | undefined {
    const at = key.lastIndexOf(':');
    const batch = this.batches.find((known) => known.id === key.slice(0, at));
    return batch === undefined ? undefined : { batch, call: batch.calls[Number(key.slice(at + 1))] };
  }

  /** The code that input is refused with; undefined when it is taken. */
  expectInput(): string | undefined {
    const asked = (this.batch?.questions.length ?? 0) > 0;
    if (this.batch?.undecided === true) return 'pending_approval_blocks_input';
    if (this.status === 'suspended') return asked ? 'pending_approval_blocks_input' : 'resume_required';
    return this.status === 'running' && asked && this.batch?.approvedCallWaits === true ? 'pending_approval_blocks_input' : undefined;
  }

  expectResume(): string | undefined {
    if (this.batch?.undecided === true) return 'awaiting_approval';
    return this.isOpen() ? undefined : 'resume_nothing_pending';
  }

  isOpen(): boolean {
    return this.status === 'running' || this.status === 'suspended';
  }

  /**
   * The answers that a decision may get: a verdict or a code.
   * @param edit undefined for a plain decision; whether the edit fits the schema
   */
  expectDecision(id: string, wanted: Verdict, edit: boolean | undefined, nowMs: number): string[] {
    const question = this.question(id);
    const batch = this.batches.find((known) => known.questions.some((one) => one.id === id));
    if (question === undefined || batch === undefined) return ['approval_not_found'];
    if (batch.closedBy !== undefined && batch.closedBy !== '') return ['approval_batch_closed'];
    if (question.verdict === 'expired') return ['approval_expired'];
    if (batch.closedBy === '') return [question.verdict === wanted ? wanted : 'approval_batch_closed'];
    if (question.verdict !== 'open') return [question.verdict];
    // What is repeated is what ran: nothing else.
    const badEdit = edit === false || (edit === true && question.isRetry);
    const answers = question.expiresAtMs <= nowMs ? ['approval_expired'] : [badEdit ? 'approval_edit_rejected' : wanted];
    if (badEdit) answers.push('approval_edit_rejected');
    // A process may have seen a later time than the clock that was set back.
    return question.expiresAtMs <= this.peakMs ? [...answers, 'approval_expired'] : answers;
  }

  /** A tool was entered. */
  entered(key: string, argumentsJson: string): void {
    const found = this.call(key) ?? fault(`${key} ran and nobody knows its batch`);
    if (found.call.argumentsJson !== argumentsJson) fault(`${key} ran with ${argumentsJson}, shown was ${found.call.argumentsJson}`);
    found.call.entered++;
    if (!found.batch.mayRun(found.call.position)) fault(`${key} ran without a yes, or beside a no`);
    if (!found.call.mayRepeat && found.call.entered > found.batch.allowedRuns(found.call.position)) fault(`${key} happened more often than a person allowed`);
    if (this.status !== 'running') fault(`${key} ran in a session that is ${this.status}`);
  }

  committed(reason: string, next: AgentState, by: number): void {
    this.writers.push(by);
    this.readBatch(next);
    switch (reason) {
      case 'after_user_input':
        if (this.expectInput() !== undefined) fault(`input was stored although ${this.expectInput()}`);
        this.close('new_input');
        this.status = 'running';
        break;
      case 'after_model_text':
        this.expectRunning(reason);
        this.hear(next);
        break;
      case 'awaiting_approval':
        this.expectRunning(reason);
        this.freeze(next);
        this.status = 'suspended';
        break;
      case 'approval_decision':
        this.decide(next);
        break;
      case 'resume_claim':
        if (this.expectResume() !== undefined) fault(`a claim although ${this.expectResume()}`);
        if (!this.resuming.has(by) && !(this.rules.attached && this.stopReason === 'awaiting_approval')) fault('a run goes on although nobody resumed it');
        this.status = 'running';
        break;
      case 'after_tool_batch':
        this.expectRunning(reason);
        this.answer(next);
        this.close('');
        break;
      case 'suspend':
        this.expectRunning(reason);
        if (!this.pausing.has(by)) fault('a pause that nobody asked for');
        this.status = 'suspended';
        break;
      case 'terminal':
        this.end(next, by);
        break;
      default:
        break;
    }
    this.stopReason = next.run?.stopReason ?? '';
    if (this.status !== next.run?.status) fault(`${reason}: the run is ${next.run?.status}, expected ${this.status}`);
  }

  private expectRunning(reason: string): void {
    if (this.status !== 'running') fault(`${reason} was stored while the run was ${this.status}`);
  }

  private end(next: AgentState, by: number): void {
    if (!this.isOpen()) fault('an ending of a run that had ended');
    const why = next.run?.stopReason ?? '';
    if (why === 'cancelled' ? !this.cancelling.has(by) : why !== 'complete') fault(`nobody asked for the ending ${why}`);
    this.close(why === 'cancelled' ? 'cancel' : why);
    this.status = 'finished';
  }

  /** The answer is the model's, word for word; its calls get a book. */
  private hear(next: AgentState): void {
    const message = next.history.last() ?? fault('an answer that is not there');
    if (!this.texts.has(message.text())) fault(`"${message.text()}" is in the history, the model never said it`);
    if (this.batch !== undefined) fault('the model was asked while a batch was open');
    if (message.toolCalls.length === 0) return;
    const calls = message.toolCalls.map((call, at) => new CallBook(at, call.id, this.plans.get(call.id) ?? fault(`${call.id} was never proposed`), call.argumentsJson));
    this.batch = new BatchBook(`${next.run?.runId}.${next.run?.turn}`, calls, this.rules.atomic, this.rules.whole);
    this.batches.push(this.batch);
  }

  /** What the journal of the commit says about the calls. */
  private readBatch(next: AgentState): void {
    const open = next.openBatch;
    if (open === undefined || next.run?.status === 'finished') return;
    if (this.batch?.id !== open.batchId) fault(`${open.batchId} is open, expected ${this.batch?.id}`);
    for (const call of open.calls) {
      const book = this.batch.calls[call.position];
      if (call.status === 'started' && book.status !== 'started' && !this.batch.mayRun(call.position)) fault(`${book.id} was started without a yes`);
      book.begun = book.begun || call.status === 'started';
      book.status = call.status;
    }
  }

  private freeze(next: AgentState): void {
    const batch = this.batch ?? fault('a question about no batch');
    const fresh = (next.pendingApproval?.items ?? []).filter((item) => item.decision === ApprovalDecision.pending);
    const isFirst = batch.questions.length === 0;
    if (isFirst && (fresh.map((item) => item.position).join() !== batch.asked().join() || batch.calls.some((call) => call.entered > 0))) {
      fault(`asked about ${fresh.map((item) => item.position)} of ${batch.asked()}, after ${batch.calls.map((call) => call.entered)} runs`);
    }
    for (const item of fresh) {
      const call = batch.calls[item.position];
      const isRetry = item.kind === ApprovalKind.retry;
      if (!isFirst && !(isRetry && this.rules.asksRetry && call.begun && !call.mayRepeat)) fault(`${item.approvalId} asks again without need`);
      batch.questions.push(new Question(item.approvalId, item.position, isRetry, item.expiresAtMs ?? Number.POSITIVE_INFINITY));
    }
    if (fresh.length === 0) fault('a run waits for a person and asks nothing');
  }

  private decide(next: AgentState): void {
    let changed = 0;
    for (const item of next.pendingApproval?.items ?? []) {
      const question = this.question(item.approvalId);
      if (question === undefined || item.decision === ApprovalDecision.pending) continue;
      const verdict: Verdict = item.decidedBy === 'expiry' ? 'expired' : item.decision;
      if (question.verdict === verdict) continue;
      if (question.verdict !== 'open') fault(`${question.id} was ${question.verdict} and became ${verdict}`);
      const asked = this.wanted.find((one) => one.id === question.id && one.verdict === verdict);
      if (verdict === 'expired' ? question.expiresAtMs > this.peakMs : asked === undefined) fault(`${question.id} became ${verdict}, and nobody said so`);
      const call = this.batch?.calls[question.position] ?? fault(`${question.id} is of no open batch`);
      if (item.toolCall.argumentsJson !== (asked?.edit ?? call.argumentsJson)) fault(`${question.id} was decided with ${item.toolCall.argumentsJson}`);
      call.argumentsJson = item.toolCall.argumentsJson;
      question.verdict = verdict;
      changed++;
    }
    if (changed === 0) fault('a decision that decides nothing');
  }

  /** Every call has its one answer, and it is the right one. */
  private answer(next: AgentState): void {
    const batch = this.batch;
    for (const call of batch?.calls ?? []) {
      const answers = next.history.toArray().filter((message) => message.role === MessageRole.tool && message.toolCallId === call.id);
      if (answers.length !== 1) fault(`${call.id} has ${answers.length} answers`);
      const wrong = batch?.wrongAnswer(call, answers[0].text());
      if (wrong !== undefined) fault(wrong);
    }
  }

  private close(by: string): void {
    if (this.batch !== undefined) this.batch.closedBy = by;
    this.batch = undefined;
  }
}
