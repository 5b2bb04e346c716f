import { Clock } from '../port/Clock';

/** A wall clock that stands until a test moves it. */
export class ManualClock implements Clock {
  private now: number;

  constructor(startMs: number = 1750000000000) {
    this.now = startMs;
  }

  nowMs(): number {
    return this.now;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  /** May also set it back. */
  setTo(ms: number): void {
    this.now = ms;
  }
}
