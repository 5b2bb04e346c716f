import { CallStop } from '../../execution/run/ExecutedCall';
import { RunEnd } from '../segment/RunEnd';

/** What a batch came to. Immutable. */
export class BatchEnd {
  /** Set when the run ends or suspends here; the batch is not complete then. */
  readonly end: RunEnd | undefined;
  /** Whether the loop stops although every call has its result. */
  readonly stop: CallStop;

  constructor(end: RunEnd | undefined, stop: CallStop) {
    this.end = end;
    this.stop = stop;
  }
}
