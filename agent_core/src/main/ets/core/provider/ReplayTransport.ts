import { CancellationSignal } from '../base/Cancellation';
import { FlowSignal } from '../base/FlowControl';
import { HttpRequest, HttpResponseObserver, HttpTransport } from '../port/HttpTransport';

/** One recorded answer. */
export interface RecordedAnswer {
  bytes: Uint8Array;
  /** 200. */
  status?: number;
  /** Names in any case. */
  headers?: ReadonlyMap<string, string>;
  /** Bytes of one network piece; the whole body at once where left out. */
  chunkSize?: number;
  /** Further places where a piece ends, in bytes from the start of the body. */
  cutsAt?: ReadonlyArray<number>;
  /** As on a platform that tells the status only at the end: `onHeaders` gets 0. */
  lateStatus?: boolean;
  /** The connection stays open after the last byte. */
  neverEnds?: boolean;
}

/**
 * A transport that answers every request with the same recorded bytes, synchronously unless the reader pauses it. For tests, demonstrations and the
 * `stream` command.
 */
export class ReplayTransport implements HttpTransport {
  private readonly answer: RecordedAnswer;
  private readonly seen: HttpRequest[] = [];

  constructor(answer: RecordedAnswer) {
    this.answer = answer;
  }

  /** The requests so far. They hold the key: never log them. */
  requests(): ReadonlyArray<HttpRequest> {
    return this.seen.slice();
  }

  send(request: HttpRequest, observer: HttpResponseObserver, signal: CancellationSignal, flow?: FlowSignal): void {
    this.seen.push(request);
    if (signal.cancelled) {
      return;
    }
    const status: number = this.answer.status ?? 200;
    observer.onHeaders(this.answer.lateStatus === true ? 0 : status, lowerCased(this.answer.headers));
    this.tell(0, observer, signal, flow);
  }

  /** Tells the body from a byte on; a pause leaves the rest for the moment when it ends. */
  private tell(start: number, observer: HttpResponseObserver, signal: CancellationSignal, flow: FlowSignal | undefined): void {
    const bytes: Uint8Array = this.answer.bytes;
    let from: number = start;
    while (from < bytes.length && !signal.cancelled && flow?.paused !== true) {
      const to: number = this.endOfPiece(from);
      observer.onBytes(bytes.subarray(from, to));
      from = to;
    }
    if (signal.cancelled) {
      return;
    }
    if (flow?.paused === true) {
      const stop: () => void = flow.onChange((paused: boolean): void => {
        stop();
        this.tell(from, observer, signal, flow);
      });
    } else if (this.answer.neverEnds !== true) {
      observer.onEnd(this.answer.status ?? 200);
    }
  }

  private endOfPiece(from: number): number {
    let to: number = Math.min(from + Math.max(1, this.answer.chunkSize ?? this.answer.bytes.length), this.answer.bytes.length);
    for (const cut of this.answer.cutsAt ?? []) {
      if (cut > from && cut < to) {
        to = cut;
      }
    }
    return to;
  }
}

function lowerCased(headers: ReadonlyMap<string, string> | undefined): Map<string, string> {
  const lower: Map<string, string> = new Map<string, string>();
  headers?.forEach((value: string, name: string): void => {
    lower.set(name.toLowerCase(), value);
  });
  return lower;
}
