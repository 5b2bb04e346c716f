/** A call as the script of the model has it. */
export interface CallPlan {
  tool: 'read' | 'pay' | 'put';
  /** Its executor answers when a command lets it. */
  slow: boolean;
}

/** One answer of the model: text in pieces, then calls. */
export interface TurnPlan {
  pieces: number;
  calls: ReadonlyArray<CallPlan>;
}

export type Verdict = 'open' | 'approved' | 'denied' | 'expired';

/** What a person is asked about a call. */
export class Question {
  verdict: Verdict = 'open';

  constructor(readonly id: string, readonly position: number, readonly isRetry: boolean, readonly expiresAtMs: number) {}
}

/** What is known about one call of a batch, told by the journal on the disk and by the tool itself. */
export class CallBook {
  /** As the newest commit has it. */
  status = 'new';
  /** A commit said that it was started. */
  begun = false;
  /** How often the executor was entered. */
  entered = 0;

  /** @param argumentsJson what runs: as the model wrote it, or as a person changed it with the yes */
  constructor(readonly position: number, readonly id: string, readonly plan: CallPlan, public argumentsJson: string) {}

  /** Nothing happens twice when it runs twice. */
  get mayRepeat(): boolean {
    return this.plan.tool !== 'pay';
  }

  get waitsToRun(): boolean {
    return ['new', 'allowed', 'awaiting', 'planned'].includes(this.status);
  }
}

/** What the rules of approval say about the calls of one answer. */
export class BatchBook {
  readonly questions: Question[] = [];
  /** Why it closed; empty when its decisions were carried out; undefined while it is open. */
  closedBy: string | undefined = undefined;

  constructor(readonly id: string, readonly calls: ReadonlyArray<CallBook>, private readonly atomic: boolean, private readonly whole: boolean) {}

  /** Positions that a person is asked about before anything of the batch runs. */
  asked(): number[] {
    const flagged = this.calls.filter((call) => call.plan.tool !== 'read');
    return (flagged.length > 0 && this.whole ? this.calls : flagged).map((call) => call.position);
  }

  latest(position: number): Question | undefined {
    return this.questions.filter((question) => question.position === position).at(-1);
  }

  get undecided(): boolean {
    return this.questions.some((question) => question.verdict === 'open');
  }

  /** A person or the clock said no before anything ran, and that stops all of it. */
  get stopped(): boolean {
    return this.atomic && this.questions.some((question) => !question.isRetry && isNo(question));
  }

  /** The call may begin now. */
  mayRun(position: number): boolean {
    if (this.closedBy !== undefined || this.stopped || this.undecided) {
      return false;
    }
    const question = this.latest(position);
    return question === undefined ? !this.asked().includes(position) : question.verdict === 'approved';
  }

  /** How often a tool that is not idempotent may be entered for the call. */
  allowedRuns(position: number): number {
    const yes = this.questions.filter((question) => question.position === position && question.verdict === 'approved').length;
    return this.asked().includes(position) ? yes : Number.POSITIVE_INFINITY;
  }

  /** A person said yes to a call that has not begun. */
  get approvedCallWaits(): boolean {
    return this.calls.some((call) => this.latest(call.position)?.verdict === 'approved' && call.waitsToRun);
  }

  /** Why the answer of a call cannot be right; undefined when it is. */
  wrongAnswer(call: CallBook, text: string): string | undefined {
    const question = this.latest(call.position);
    if (question !== undefined && isNo(question) && !question.isRetry) {
      return expectAnswer(call, text, 0, 'tool_denied');
    }
    if (this.stopped) {
      return expectAnswer(call, text, 0, 'tool_batch_not_executed');
    }
    if (text.includes('tool_outcome_unknown')) {
      return call.begun ? undefined : `${call.id} is unknown and was never started`;
    }
    if (!text.startsWith('did ') || call.entered === 0) {
      return `${call.id} was allowed, ran ${call.entered} times and answers ${text}`;
    }
    return undefined;
  }
}

function isNo(question: Question): boolean {
  return question.verdict === 'denied' || question.verdict === 'expired';
}

function expectAnswer(call: CallBook, text: string, entered: number, code: string): string | undefined {
  return text.includes(code) && call.entered === entered ? undefined : `${call.id} ran ${call.entered} times and answers ${text}, not ${code}`;
}
