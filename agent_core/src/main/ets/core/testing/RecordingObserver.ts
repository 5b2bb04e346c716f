import { ArkAgentError } from '../base/ArkAgentError';
import { StreamObserver } from '../base/StreamObserver';

/** Keeps everything that it is told. */
export class RecordingObserver<T> implements StreamObserver<T> {
  readonly values: T[] = [];
  readonly errors: ArkAgentError[] = [];
  completions: number = 0;

  onNext(value: T): void {
    this.values.push(value);
  }

  onError(error: ArkAgentError): void {
    this.errors.push(error);
  }

  onComplete(): void {
    this.completions++;
  }

  /** onError and onComplete calls; 1 after every stream that keeps its contract. */
  get terminalCount(): number {
    return this.errors.length + this.completions;
  }
}
