/**
 * Wall clock: for time stamps and deadlines that are stored and shown.
 *
 * Contract: never throws; may jump when the person changes the time (the runtime uses the highest stored time as floor, DEC-13).
 */
export interface Clock {
  /** Milliseconds since the epoch, an integer. */
  nowMs(): number;
}
