import { ArkAgentError, ArkAgentErrorOptions } from '../../base/ArkAgentError';
import { CancellationController, CancellationSignal } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { FlowSignal } from '../../base/FlowControl';
import { HttpRequest } from '../../port/HttpTransport';
import { ScheduledTask } from '../../port/Scheduler';
import { TextDecoding } from '../../port/TextDecoding';
import { AnswerLimits, AnswerListener, AnswerStream, AnswerVerdict } from './AnswerStream';
import { ChatAnswer } from './ChatAnswer';
import { ChunkReader } from './ChunkReader';
import { OpenAiPorts } from './OpenAiOptions';
import { RetryPolicy } from './RetryPolicy';
import { SecretMask } from './SecretMask';
import { StreamEmitter } from './StreamEmitter';

/** How long an answer that already holds an error is still read, in milliseconds: the usage may follow. */
const FAULT_GRACE_MS: number = 1_000;

/** One model call: sends the request, sends it again where that is safe, tells the observer once. */
export class OpenAiCall implements AnswerListener {
  private readonly ports: OpenAiPorts;
  private readonly decoding: TextDecoding;
  private readonly limits: AnswerLimits;
  private readonly policy: RetryPolicy;
  private readonly mask: SecretMask;
  private readonly emitter: StreamEmitter;
  private readonly signal: CancellationSignal;
  private readonly flow: FlowSignal | undefined;
  private request: HttpRequest | undefined = undefined;
  private attempt: CancellationController | undefined = undefined;
  private stream: AnswerStream | undefined = undefined;
  private timer: ScheduledTask | undefined = undefined;
  private retries: number = 0;
  private removeListener: () => void = () => {
  };

  constructor(ports: OpenAiPorts, decoding: TextDecoding, limits: AnswerLimits, policy: RetryPolicy, mask: SecretMask,
    emitter: StreamEmitter, signal: CancellationSignal, flow?: FlowSignal) {
    this.ports = ports;
    this.decoding = decoding;
    this.limits = limits;
    this.policy = policy;
    this.mask = mask;
    this.emitter = emitter;
    this.signal = signal;
    this.flow = flow;
  }

  /** Listens to the signal. @returns false when it is cancelled already, which has been told then */
  open(): boolean {
    this.removeListener = this.signal.onCancelled((reason: string): void => {
      this.finish((): void => {
        this.emitter.fail(ArkAgentError.of(ErrorCode.cancelled, reason === '' ? 'cancelled' : reason), undefined);
      });
    });
    return !this.emitter.over;
  }

  /** Sends the request; does nothing when the call is over. */
  send(request: HttpRequest): void {
    if (!this.emitter.over) {
      this.request = request;
      this.start(request);
    }
  }

  /** Ends the call before anything was sent. */
  refuse(error: ArkAgentError): void {
    this.finish((): void => this.emitter.fail(error, undefined));
  }

  onVerdict(verdict: AnswerVerdict): void {
    const error: ArkAgentError | undefined = verdict.error === undefined ? undefined : this.masked(verdict.error);
    if (error !== undefined) {
      const delayMs: number | undefined = this.policy.delayBefore(error, this.retries, this.emitter.shown);
      if (delayMs !== undefined) {
        this.retryAfter(delayMs);
        return;
      }
    }
    this.finish((): void => {
      if (error !== undefined) {
        this.emitter.fail(error, verdict.response);
      } else if (verdict.response !== undefined) {
        this.emitter.complete(verdict.response);
      }
    });
  }

  onFault(): void {
    const stream: AnswerStream | undefined = this.stream;
    this.timer = this.ports.scheduler.schedule(FAULT_GRACE_MS, (): void => {
      stream?.conclude();
    });
  }

  private start(request: HttpRequest): void {
    const answer: ChatAnswer = new ChatAnswer(this.ports.ids);
    const stream: AnswerStream = new AnswerStream(answer, new ChunkReader(answer, this.emitter), this.decoding.createDecoder(),
      this.limits, this.mask, this);
    const attempt: CancellationController = new CancellationController();
    this.stream = stream;
    this.attempt = attempt;
    try {
      this.ports.transport.send(request, stream, attempt.signal, this.flow);
    } catch (e) {
      stream.onError(ArkAgentError.wrap(ErrorCode.transportFailed, e as Error, 'the transport threw'));
    }
  }

  private retryAfter(delayMs: number): void {
    this.stopAttempt();
    this.retries++;
    this.timer = this.ports.scheduler.schedule(delayMs, (): void => {
      this.timer = undefined;
      this.start(this.request as HttpRequest);
    });
  }

  /** Stops the request before the observer hears of the end, so that nothing it does can meet a running request. */
  private finish(tell: () => void): void {
    this.removeListener();
    this.stopAttempt();
    this.request = undefined;
    tell();
  }

  private stopAttempt(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.stream?.abandon();
    this.stream = undefined;
    this.attempt?.cancel('the answer is complete');
    this.attempt = undefined;
  }

  /** A foreign transport may put anything into its messages. */
  private masked(error: ArkAgentError): ArkAgentError {
    const message: string = this.mask.apply(error.message);
    if (message === error.message) {
      return error;
    }
    const options: ArkAgentErrorOptions = {
      retryability: error.retryability, retryAfterMs: error.retryAfterMs,
      details: error.details === undefined ? undefined : new Map(error.details)
    };
    return new ArkAgentError(error.layer, error.code, message, options);
  }
}
