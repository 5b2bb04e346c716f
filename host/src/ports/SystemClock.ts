import type { Clock } from 'agent_core';

/** The computer's wall clock. */
export class SystemClock implements Clock {
  nowMs(): number {
    return Date.now();
  }
}
