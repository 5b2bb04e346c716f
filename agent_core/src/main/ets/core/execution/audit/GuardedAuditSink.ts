import { AuditRecord, AuditSink } from '../../port/AuditSink';

/** An app's sink, seen from the runtime: whatever it throws or rejects is isolated and counted (S13). */
export class GuardedAuditSink implements AuditSink {
  private readonly sink: AuditSink;
  private faults: number = 0;

  constructor(sink: AuditSink) {
    this.sink = sink;
  }

  /** How often the sink failed. */
  get faultCount(): number {
    return this.faults;
  }

  record(entry: AuditRecord): void {
    try {
      // A sink written as an async function hands back a promise that nobody else would look at.
      const pending: void | Promise<void> = this.sink.record(entry) as void | Promise<void>;
      if (pending instanceof Promise) {
        pending.catch((e: Error): void => this.failed());
      }
    } catch (e) {
      this.failed();
    }
  }

  async flush(ending: boolean): Promise<void> {
    try {
      await this.sink.flush?.(ending);
    } catch (e) {
      this.failed();
    }
  }

  private failed(): void {
    this.faults++;
  }
}
