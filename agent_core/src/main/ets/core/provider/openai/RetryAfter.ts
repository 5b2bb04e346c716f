/** What a refusal says about the time to wait. */
export class RetryAfter {
  /** Milliseconds, not capped; undefined when the provider did not say. */
  readonly askedMs: number | undefined;

  private constructor(askedMs: number | undefined) {
    this.askedMs = askedMs;
  }

  /**
   * Reads `retry-after-ms` and `retry-after` (seconds or a date). Where both are given and differ, the longer one counts: waiting a little
   * too long costs less than a retry that is refused again.
   *
   * A date is compared with the answer's own `date`, so that a wrong clock on the device does no harm; without that it says nothing.
   */
  static of(headers: ReadonlyMap<string, string>): RetryAfter {
    const inMs: number | undefined = nonNegative(headers.get('retry-after-ms'));
    const inSeconds: number | undefined = RetryAfter.fromSeconds(headers);
    if (inMs === undefined || inSeconds === undefined) {
      return new RetryAfter(inMs ?? inSeconds);
    }
    return new RetryAfter(Math.max(inMs, inSeconds));
  }

  private static fromSeconds(headers: ReadonlyMap<string, string>): number | undefined {
    const text: string | undefined = headers.get('retry-after');
    const seconds: number | undefined = nonNegative(text);
    if (seconds !== undefined) {
      return seconds * 1000;
    }
    const until: number = Date.parse(text ?? '');
    const now: number = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now);
  }
}

function nonNegative(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) {
    return undefined;
  }
  return Math.ceil(Number(text));
}
