import type { ScheduledTask, Scheduler } from 'agent_core';

class NodeTask implements ScheduledTask {
  private readonly timer: NodeJS.Timeout;

  constructor(delayMs: number, task: () => void) {
    this.timer = setTimeout(task, delayMs);
  }

  cancel(): void {
    clearTimeout(this.timer);
  }
}

/** Timers of the event loop; monotonic time from `performance`. */
export class NodeScheduler implements Scheduler {
  monotonicMs(): number {
    return performance.now();
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    return new NodeTask(delayMs, task);
  }
}
