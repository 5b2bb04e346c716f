import { CancellationSignal } from '../base/Cancellation';
import { ScheduledTask, Scheduler } from '../port/Scheduler';

/** A hook was still pending when the time after a cancel was over; what it may yet say no longer counts. */
export class HookAbandoned extends Error {
}

/**
 * How long a segment waits for hooks: for ever while it runs, for a bounded time once its signal fired (DEC-19).
 *
 * A hook with a time-out of its own is bounded by that already; this keeps one without from holding a cancel for ever.
 */
export class HookPatience {
  private readonly scheduler: Scheduler;
  private readonly graceMs: number;
  private waiting: Set<() => void> | undefined = new Set<() => void>();

  /** @param graceMs milliseconds after the signal fired, and for each hook that is asked after that */
  constructor(signal: CancellationSignal, scheduler: Scheduler, graceMs: number) {
    this.scheduler = scheduler;
    this.graceMs = graceMs;
    signal.onCancelled((reason: string): void => this.limit());
  }

  /** What the promise gives. Rejects with HookAbandoned when patience ends first. */
  wait<T>(pending: Promise<T>): Promise<T> {
    return new Promise<T>((resolve: (value: T) => void, reject: (reason: Error) => void): void => {
      const abandon: () => void = (): void => reject(new HookAbandoned('a hook did not answer after the cancel') as Error);
      const waiting: Set<() => void> | undefined = this.waiting;
      const timer: ScheduledTask | undefined =
        waiting === undefined ? this.scheduler.schedule(this.graceMs, abandon) : undefined;
      waiting?.add(abandon);
      pending.then((value: T): void => {
        waiting?.delete(abandon);
        timer?.cancel();
        resolve(value);
      }, (e: Error): void => {
        waiting?.delete(abandon);
        timer?.cancel();
        reject(e);
      });
    });
  }

  private limit(): void {
    const pending: Set<() => void> | undefined = this.waiting;
    this.waiting = undefined;
    if (pending !== undefined && pending.size > 0) {
      this.scheduler.schedule(this.graceMs, (): void => {
        for (const abandon of Array.from(pending)) {
          abandon();
        }
      });
    }
  }
}
