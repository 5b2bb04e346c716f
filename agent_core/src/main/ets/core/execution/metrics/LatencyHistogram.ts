/** Buckets between two powers of two: a bucket is at most a sixteenth wider than its lower end. */
const PARTS: number = 16;
const EXACT: number = 2 * PARTS;
const MAX_VALUE: number = 2147483647;
const BUCKETS: number = 28 * PARTS;

/**
 * Durations in fixed logarithmic buckets: memory does not grow with the number of values, and the same values in any order give
 * the same answers. Exact below 32 ms, above it at most 1/16 too high, never too low.
 */
export class LatencyHistogram {
  private readonly counts: Uint32Array = new Uint32Array(BUCKETS);
  private total: number = 0;
  private sum: number = 0;
  private smallest: number = 0;
  private largest: number = 0;

  get count(): number {
    return this.total;
  }

  get minMs(): number {
    return this.smallest;
  }

  get maxMs(): number {
    return this.largest;
  }

  /** 0 without values. */
  get meanMs(): number {
    return this.total === 0 ? 0 : this.sum / this.total;
  }

  /** @param ms below 0 or no number counts as 0, above 2^31 - 1 as that */
  add(ms: number): void {
    const value: number = ms > 0 ? Math.min(Math.round(ms), MAX_VALUE) : 0;
    this.counts[bucketOf(value)]++;
    this.smallest = this.total === 0 ? value : Math.min(this.smallest, value);
    this.largest = Math.max(this.largest, value);
    this.total++;
    this.sum += value;
  }

  /** The nearest-rank percentile, rounded up to the end of its bucket. @param percent 0 to 100; 0 without values */
  percentileMs(percent: number): number {
    const rank: number = Math.max(1, Math.ceil(Math.min(100, Math.max(0, percent)) / 100 * this.total));
    let seen: number = 0;
    for (let i: number = 0; i < BUCKETS; i++) {
      seen += this.counts[i];
      if (seen >= rank) {
        return Math.min(this.largest, upperEnd(i));
      }
    }
    return 0;
  }
}

function bucketOf(value: number): number {
  if (value < EXACT) {
    return value;
  }
  const power: number = 31 - Math.clz32(value);
  return (power - 3) * PARTS + (value >>> (power - 4)) - PARTS;
}

/** The largest value of a bucket. */
function upperEnd(bucket: number): number {
  if (bucket < EXACT) {
    return bucket;
  }
  const power: number = Math.floor(bucket / PARTS) + 3;
  const part: number = bucket % PARTS + PARTS;
  return (part + 1) * Math.pow(2, power - 4) - 1;
}
