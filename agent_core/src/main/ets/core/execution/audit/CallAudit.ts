import { ToolCall } from '../../message/ToolCall';
import { AuditRecord, AuditSink, AuditStep } from '../../port/AuditSink';
import { Clock } from '../../port/Clock';

/** Whose calls they are. */
export interface AuditScope {
  sessionId: string;
  runId: string;
  batchId: string;
  /** Who proposes the calls: model, app or person. */
  proposer: string;
}

/** Deciders that are no hook, policy or person. */
export class AuditDeciders {
  static readonly MODEL: string = 'model';
  static readonly APP: string = 'app';
  static readonly PERSON: string = 'person';
  static readonly POLICY: string = 'policy';
  static readonly TOOL: string = 'tool';
  static readonly RUNTIME: string = 'runtime';
}

const MAX_CHARS: number = 200;
const TOOL_NAME: RegExp = /^[A-Za-z0-9_.:-]{1,128}$/;
const CODE: RegExp = /^[a-z0-9_.:-]{0,64}$/;

/**
 * Writes down what happens to the calls of one batch. Costs one branch where no sink is set.
 *
 * Takes names and codes only: there is no parameter through which an argument, a result or a reason could get into a record.
 */
export class CallAudit {
  private readonly sink: AuditSink | undefined;
  private readonly clock: Clock | undefined;
  private readonly scope: AuditScope;
  private readonly answered: Set<number> = new Set<number>();

  private constructor(sink: AuditSink | undefined, clock: Clock | undefined, scope: AuditScope) {
    this.sink = sink;
    this.clock = clock;
    this.scope = scope;
  }

  static of(sink: AuditSink | undefined, clock: Clock, scope: AuditScope): CallAudit {
    return new CallAudit(sink, clock, scope);
  }

  /** Writes nothing. */
  static none(): CallAudit {
    const scope: AuditScope = { sessionId: '', runId: '', batchId: '', proposer: '' };
    return new CallAudit(undefined, undefined, scope);
  }

  get active(): boolean {
    return this.sink !== undefined;
  }

  get batchId(): string {
    return this.scope.batchId;
  }

  /** The same batch, seen as calls that somebody else proposes. */
  proposedBy(proposer: string): CallAudit {
    const scope: AuditScope = {
      sessionId: this.scope.sessionId, runId: this.scope.runId, batchId: this.scope.batchId, proposer: proposer
    };
    return new CallAudit(this.sink, this.clock, scope);
  }

  proposed(call: ToolCall): void {
    this.note(call, AuditStep.proposed, this.scope.proposer, 'proposed');
  }

  note(call: ToolCall, step: AuditStep, decider: string, decision: string, code: string = ''): void {
    if (this.sink === undefined || this.clock === undefined) {
      return;
    }
    const entry: AuditRecord = {
      sessionId: this.scope.sessionId, runId: this.scope.runId, batchId: this.scope.batchId, callId: bounded(call.id),
      position: call.index, tool: TOOL_NAME.test(call.name) ? call.name : '(invalid)', step: step, decider: bounded(decider),
      decision: decision, code: CODE.test(code) ? code : 'other', timeMs: this.clock.nowMs()
    };
    this.sink.record(entry);
  }

  /** The call has its answer. */
  closed(call: ToolCall, status: string, code: string): void {
    if (this.sink !== undefined) {
      this.answered.add(call.index);
      this.note(call, AuditStep.closed, AuditDeciders.RUNTIME, status, code);
    }
  }

  /** As far as this process knows. */
  isClosed(position: number): boolean {
    return this.answered.has(position);
  }

  /** What was recorded may be hashed and written now; nobody waits for it. */
  commit(): void {
    this.sink?.flush?.(true);
  }
}

function bounded(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.substring(0, MAX_CHARS)}…`;
}
