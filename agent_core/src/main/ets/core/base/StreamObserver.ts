import { ArkAgentError } from './ArkAgentError';

/**
 * Receiver of a stream of values.
 *
 * Contract:
 * - Order: `onNext` any number of times, then exactly one of `onError` and `onComplete`, then nothing.
 * - Failure: a throw is isolated by the sender and reported once as a diagnostic; the stream goes on.
 * - All methods are synchronous and must not block.
 */
export interface StreamObserver<T> {
  onNext(value: T): void;
  onError(error: ArkAgentError): void;
  onComplete(): void;
}

/** An observer that ignores everything; extend it and override what is needed (an object literal cannot have methods). */
export class BaseObserver<T> implements StreamObserver<T> {
  onNext(value: T): void {
  }

  onError(error: ArkAgentError): void {
  }

  onComplete(): void {
  }
}
