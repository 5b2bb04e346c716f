import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationSignal } from '../base/Cancellation';
import { FlowSignal } from '../base/FlowControl';

/** Time-outs of one streaming request, in milliseconds; 0 switches one off. */
export interface HttpTimeouts {
  connectMs: number;
  /** From sending the request to the first byte of the body. */
  firstByteMs: number;
  /** Between two pieces of the body. */
  idleMs: number;
  /** The whole request. */
  totalMs: number;
}

/** One request whose answer is streamed. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Map<string, string>;
  body: string;
  timeouts: HttpTimeouts;
}

/**
 * Receiver of a streamed answer.
 *
 * Order: `onHeaders` at most once and before the first `onBytes`, `onBytes` any number of times, then exactly one of
 * `onEnd` and `onError`, then nothing. After the signal was cancelled nothing at all arrives.
 */
export interface HttpResponseObserver {
  /**
   * @param status 0 where the platform tells it only at the end (HarmonyOS requestInStream)
   * @param headers names in lower case
   */
  onHeaders(status: number, headers: Map<string, string>): void;
  /** The bytes belong to the receiver. Pieces may cut characters and lines anywhere. */
  onBytes(bytes: Uint8Array): void;
  /** @param status the HTTP status, always known here */
  onEnd(status: number): void;
  /** transport_connect, transport_timeout, transport_failed. */
  onError(error: ArkAgentError): void;
}

/**
 * Streaming HTTP.
 *
 * Contract: `send` returns at once and never throws. It does not retry and does not follow the meaning of a status.
 * Cancelling the signal ends the request; the caller reports the cancellation itself. While `flow` is paused no further piece of
 * the body should be read and the silence is not timed; a platform that cannot pause a transfer leaves `flow` out.
 */
export interface HttpTransport {
  send(request: HttpRequest, observer: HttpResponseObserver, signal: CancellationSignal, flow?: FlowSignal): void;
}
