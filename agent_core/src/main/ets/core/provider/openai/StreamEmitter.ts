import { ArkAgentError } from '../../base/ArkAgentError';
import { StreamObserver } from '../../base/StreamObserver';
import { ModelResponse } from '../../model/ModelResponse';
import { StreamingEvent } from '../../model/StreamingEvent';
import { Logger, LogLevel } from '../../port/Logger';

/**
 * The observer's side of one model call: exactly one ending, nothing after it, and no fault of the observer reaches the reader.
 *
 * A delta never ends in the first half of a surrogate pair: that half waits for the next delta.
 */
export class StreamEmitter {
  private readonly observer: StreamObserver<StreamingEvent>;
  private readonly logger: Logger;
  private heldText: string = '';
  private heldReasoning: string = '';
  private ended: boolean = false;
  private faults: number = 0;
  private anyShown: boolean = false;

  constructor(observer: StreamObserver<StreamingEvent>, logger: Logger) {
    this.observer = observer;
    this.logger = logger;
  }

  /** Whether the observer has seen any part of an answer. */
  get shown(): boolean {
    return this.anyShown;
  }

  get over(): boolean {
    return this.ended;
  }

  text(delta: string): void {
    const whole: string = this.heldText === '' ? delta : this.heldText + delta;
    if (isHighSurrogate(whole.charCodeAt(whole.length - 1))) {
      this.heldText = whole.substring(whole.length - 1);
      this.emitText(whole.substring(0, whole.length - 1));
    } else {
      this.heldText = '';
      this.emitText(whole);
    }
  }

  reasoning(delta: string): void {
    const whole: string = this.heldReasoning === '' ? delta : this.heldReasoning + delta;
    if (isHighSurrogate(whole.charCodeAt(whole.length - 1))) {
      this.heldReasoning = whole.substring(whole.length - 1);
      this.emitReasoning(whole.substring(0, whole.length - 1));
    } else {
      this.heldReasoning = '';
      this.emitReasoning(whole);
    }
  }

  complete(response: ModelResponse): void {
    this.flush();
    this.next(StreamingEvent.modelComplete(response));
    if (!this.ended) {
      this.ended = true;
      this.guard((): void => this.observer.onComplete());
    }
  }

  /** @param partial what arrived before; told first, with its outcome */
  fail(error: ArkAgentError, partial: ModelResponse | undefined): void {
    this.flush();
    if (partial !== undefined) {
      this.next(StreamingEvent.modelComplete(partial));
    }
    if (!this.ended) {
      this.ended = true;
      this.guard((): void => this.observer.onError(error));
    }
  }

  private emitText(text: string): void {
    if (text !== '') {
      this.next(StreamingEvent.textDelta(text));
    }
  }

  private emitReasoning(text: string): void {
    if (text !== '') {
      this.next(StreamingEvent.reasoningDelta(text));
    }
  }

  /** A half that never got its other half is told as U+FFFD. */
  private flush(): void {
    if (this.heldReasoning !== '') {
      this.heldReasoning = '';
      this.emitReasoning('\uFFFD');
    }
    if (this.heldText !== '') {
      this.heldText = '';
      this.emitText('\uFFFD');
    }
  }

  private next(event: StreamingEvent): void {
    if (this.ended) {
      return;
    }
    this.anyShown = true;
    try {
      this.observer.onNext(event);
    } catch (e) {
      this.report(e as Error);
    }
  }

  private guard(action: () => void): void {
    try {
      action();
    } catch (e) {
      this.report(e as Error);
    }
  }

  private report(thrown: Error): void {
    this.faults++;
    if (this.faults === 1) {
      this.logger.log(LogLevel.error, 'provider', `an observer of a model stream threw (${thrown.name}); the stream goes on`);
    }
  }
}

/** Whether a UTF-16 code unit is the first half of a pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
