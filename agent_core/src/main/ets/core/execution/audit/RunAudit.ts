import { AuditSink } from '../../port/AuditSink';
import { Clock } from '../../port/Clock';
import { AuditDeciders, AuditScope, CallAudit } from './CallAudit';

/** The audit of a run: one batch after another. */
export class RunAudit {
  private readonly sink: AuditSink | undefined;
  private readonly clock: Clock;
  private readonly sessionId: string;
  private readonly runId: string;
  private current: CallAudit = CallAudit.none();

  constructor(sink: AuditSink | undefined, clock: Clock, sessionId: string, runId: string) {
    this.sink = sink;
    this.clock = clock;
    this.sessionId = sessionId;
    this.runId = runId;
  }

  get active(): boolean {
    return this.sink !== undefined;
  }

  /** One object for each batch: it remembers which calls are answered. */
  inBatch(batchId: string): CallAudit {
    if (this.sink !== undefined && this.current.batchId !== batchId) {
      const scope: AuditScope = {
        sessionId: this.sessionId, runId: this.runId, batchId: batchId, proposer: AuditDeciders.MODEL
      };
      this.current = CallAudit.of(this.sink, this.clock, scope);
    }
    return this.current;
  }

  /** What was recorded may be hashed and written now; nobody waits for it. */
  commit(ending: boolean): void {
    this.sink?.flush?.(ending);
  }
}
