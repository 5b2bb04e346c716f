/** How a rate is watched. */
export interface RateRules {
  /** Calls before anything counts as unusual; default 50. */
  minSamples?: number;
  /** How far from its usual value the recent rate may be, in standard deviations; default 4. */
  width?: number;
}

const RECENT: number = 0.1;
const USUAL: number = 0.01;
/** A rate of 0 has no spread of its own: one single event must not count as unusual. */
const FLOOR: number = 0.02;

/**
 * Compares the recent rate of something with its usual rate: two exponential averages, one fast and one slow, and a band around
 * the slow one as wide as chance makes it. Needs two numbers of memory; the same sequence always gives the same answer.
 */
export class RateWatch {
  private readonly minSamples: number;
  private readonly width: number;
  private samples: number = 0;
  private fast: number = 0;
  private slow: number = 0;
  private outside: boolean = false;

  constructor(rules?: RateRules) {
    this.minSamples = rules?.minSamples ?? 50;
    this.width = rules?.width ?? 4;
  }

  /** 0 to 1. */
  get recent(): number {
    return this.fast;
  }

  /** 0 to 1. */
  get usual(): number {
    return this.slow;
  }

  /** The rate is out of its usual range now. */
  get unusual(): boolean {
    return this.outside;
  }

  /** @returns true when the rate leaves its usual range with this call; once until it has come back */
  add(happened: boolean): boolean {
    const value: number = happened ? 1 : 0;
    this.samples++;
    // While there are few values both are their mean, so that the start is not taken for a change.
    this.fast += (value - this.fast) * Math.max(RECENT, 1 / this.samples);
    const band: number = this.band();
    const beyond: boolean = this.samples > this.minSamples && Math.abs(this.fast - this.slow) > band;
    this.slow += (value - this.slow) * Math.max(USUAL, 1 / this.samples);
    const left: boolean = beyond && !this.outside;
    this.outside = beyond || (this.outside && Math.abs(this.fast - this.slow) > band / 2);
    return left;
  }

  private band(): number {
    const rate: number = Math.min(1 - FLOOR, Math.max(FLOOR, this.slow));
    return this.width * Math.sqrt(rate * (1 - rate) * RECENT / (2 - RECENT));
  }
}
