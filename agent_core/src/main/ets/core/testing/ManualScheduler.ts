import { ScheduledTask, Scheduler } from '../port/Scheduler';

class ManualTask implements ScheduledTask {
  readonly dueMs: number;
  readonly order: number;
  private work: (() => void) | undefined;

  constructor(dueMs: number, order: number, work: () => void) {
    this.dueMs = dueMs;
    this.order = order;
    this.work = work;
  }

  get pending(): boolean {
    return this.work !== undefined;
  }

  cancel(): void {
    this.work = undefined;
  }

  run(): void {
    const work: (() => void) | undefined = this.work;
    this.work = undefined;
    if (work !== undefined) {
      work();
    }
  }
}

/** Timers that fire when a test lets time pass, in the order of their deadlines. */
export class ManualScheduler implements Scheduler {
  private now: number = 0;
  private count: number = 0;
  private tasks: ManualTask[] = [];

  monotonicMs(): number {
    return this.now;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    this.count++;
    const made: ManualTask = new ManualTask(this.now + Math.max(0, delayMs), this.count, task);
    this.tasks.push(made);
    return made;
  }

  /** Timers that have neither fired nor been cancelled. */
  get pendingCount(): number {
    return this.tasks.filter((task: ManualTask) => task.pending).length;
  }

  /** Lets time pass and fires what is due, also what the fired tasks schedule within the span. */
  advance(ms: number): void {
    const end: number = this.now + ms;
    while (true) {
      const next: ManualTask | undefined = this.nextDue(end);
      if (next === undefined) {
        break;
      }
      this.now = next.dueMs;
      this.tasks.splice(this.tasks.indexOf(next), 1);
      next.run();
    }
    this.now = end;
  }

  private nextDue(end: number): ManualTask | undefined {
    this.tasks = this.tasks.filter((task: ManualTask) => task.pending);
    let next: ManualTask | undefined = undefined;
    for (const task of this.tasks) {
      const earlier: boolean = next === undefined || task.dueMs < next.dueMs ||
        (task.dueMs === next.dueMs && task.order < next.order);
      if (task.dueMs <= end && earlier) {
        next = task;
      }
    }
    return next;
  }
}
