import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { ScheduledTask, Scheduler } from '../../port/Scheduler';
import { EffectiveClock } from '../store/EffectiveClock';
import { SessionStore } from '../store/SessionStore';

/** What happens at the deadlines. */
export interface DeadlineActions {
  /** Once per question and process, `approvalWarnBeforeMs` before it expires. */
  warn: (batch: PendingApprovalBatch, item: PendingApprovalItem) => void;
  /** Stores that questions have expired. */
  expire: () => Promise<void>;
}

/** A longer wait is taken in pieces: what a 32-bit timer holds. */
const LONGEST_WAIT_MS: number = 2147483647;
/** Pause before an expiry that could not be stored is tried again. */
const RETRY_MS: number = 30000;

/**
 * Wakes up for the deadlines of the open questions while the process lives (DEC-50). The stored time decides, never the timer:
 * a wake-up that comes too early, or after the question is gone, changes nothing.
 */
export class ApprovalDeadlines {
  private readonly store: SessionStore;
  private readonly clock: EffectiveClock;
  private readonly scheduler: Scheduler;
  private readonly warnBeforeMs: number;
  private readonly actions: DeadlineActions;
  private readonly warned: Set<string> = new Set<string>();
  private timer: ScheduledTask | undefined = undefined;
  private stopped: boolean = false;

  /** @param warnBeforeMs 0 = no warning */
  constructor(store: SessionStore, clock: EffectiveClock, scheduler: Scheduler, warnBeforeMs: number,
    actions: DeadlineActions) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.warnBeforeMs = warnBeforeMs;
    this.actions = actions;
  }

  /** Looks at the questions that are open now; call it whenever they may have changed. */
  watch(): void {
    this.timer?.cancel();
    this.timer = undefined;
    const next: number | undefined = this.next();
    if (next === undefined || this.stopped) {
      return;
    }
    const wait: number = next - this.clock.nowMs();
    const overdue: number = this.anyExpired() ? RETRY_MS : 0;
    this.timer = this.scheduler.schedule(wait > 0 ? Math.min(wait, LONGEST_WAIT_MS) : overdue, (): void => {
      this.wake();
    });
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private async wake(): Promise<void> {
    const now: number = this.clock.nowMs();
    const batch: PendingApprovalBatch | undefined = this.store.storedQuestions();
    let expired: boolean = false;
    for (const item of this.deadlines()) {
      const at: number = item.expiresAtMs as number;
      expired = expired || at <= now;
      if (batch !== undefined && at > now && this.warnAt(item) <= now) {
        this.warned.add(item.approvalId);
        this.actions.warn(batch, item);
      }
    }
    if (expired) {
      await this.actions.expire();
    }
    this.watch();
  }

  /** Only what could not be stored is still open after its time. */
  private anyExpired(): boolean {
    const now: number = this.clock.nowMs();
    return this.deadlines().some((item: PendingApprovalItem) => (item.expiresAtMs as number) <= now);
  }

  /** The earliest time at which there is something to do. */
  private next(): number | undefined {
    let earliest: number | undefined = undefined;
    for (const item of this.deadlines()) {
      const at: number = Math.min(this.warnAt(item), item.expiresAtMs as number);
      earliest = earliest === undefined ? at : Math.min(earliest, at);
    }
    return earliest;
  }

  private warnAt(item: PendingApprovalItem): number {
    const warns: boolean = this.warnBeforeMs > 0 && !this.warned.has(item.approvalId);
    return warns ? (item.expiresAtMs as number) - this.warnBeforeMs : Number.MAX_SAFE_INTEGER;
  }

  private deadlines(): ReadonlyArray<PendingApprovalItem> {
    return this.store.storedQuestions()?.items.filter((item: PendingApprovalItem) =>
      item.isPending() && item.expiresAtMs !== undefined) ?? [];
  }
}
