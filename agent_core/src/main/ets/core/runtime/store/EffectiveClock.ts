import { Clock } from '../../port/Clock';

/** Wall clock that never goes behind the highest time seen or stored, so that a clock set back reopens nothing (DEC-13). */
export class EffectiveClock implements Clock {
  private readonly clock: Clock;
  private highest: number = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Takes a stored time into account. */
  observe(timeMs: number): void {
    if (timeMs > this.highest) {
      this.highest = timeMs;
    }
  }

  nowMs(): number {
    this.observe(this.clock.nowMs());
    return this.highest;
  }
}
