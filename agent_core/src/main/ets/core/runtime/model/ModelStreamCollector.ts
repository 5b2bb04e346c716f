import { ArkAgentError } from '../../base/ArkAgentError';
import { CancellationController } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { FlowController } from '../../base/FlowControl';
import { StreamObserver } from '../../base/StreamObserver';
import { TextBuffer } from '../../base/TextBuffer';
import { RedactingChunkFilter } from '../../execution/redaction/RedactingChunkFilter';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { ModelChunkHookContext } from '../../hook/context/ModelChunkHookContext';
import { HookAbort } from '../../hook/HookAbort';
import { ModelChunkHookOutcome } from '../../hook/outcome/ModelChunkHookOutcome';
import { ModelResponse } from '../../model/ModelResponse';
import { StreamingEvent, StreamingEventType } from '../../model/StreamingEvent';
import { ChunkQueue } from './ChunkQueue';
import { RunContext } from '../segment/RunContext';
import { SessionRedaction } from '../session/SessionRedaction';

/** What came of a stream. `text` and `reasoning` are what the hooks let through; nothing else is ever stored or shown. */
export class CollectedStream {
  readonly text: string;
  readonly reasoning: string;
  /** Set when the provider completed. */
  readonly response: ModelResponse | undefined;
  readonly error: ArkAgentError | undefined;
  readonly abort: HookAbort | undefined;
  /** The run's signal fired first. */
  readonly interrupted: boolean;

  constructor(text: string, reasoning: string, response: ModelResponse | undefined, error: ArkAgentError | undefined,
    abort: HookAbort | undefined, interrupted: boolean) {
    this.text = text;
    this.reasoning = reasoning;
    this.response = response;
    this.error = error;
    this.abort = abort;
    this.interrupted = interrupted;
  }
}

/** UTF-16 code units that wait for a slow hook before the source is asked to stop, and down to which it stays stopped. */
const PAUSE_ABOVE_CHARS: number = 64 * 1024;
const RESUME_BELOW_CHARS: number = 16 * 1024;
/** The same in pieces: text and reasoning that alternate do not merge. */
const PAUSE_ABOVE_PIECES: number = 1024;
const RESUME_BELOW_PIECES: number = 256;
/** Pieces that may wait of a source that cannot stop. */
const MAX_PIECES: number = 64 * 1024;

/**
 * The one serial chain of a model's stream: each piece passes the chunk hooks before anything after it is seen, so a drop,
 * rewrite or abort always precedes the completion.
 *
 * Without chunk hooks a piece is handed on at once; with them one loop drains a queue, whose neighbours are merged when the
 * network is faster than the hooks (DEC-27), and a source that can stop is asked to while too much waits (STR-04). Ends exactly
 * once; what the provider still says after that is ignored.
 */
export class ModelStreamCollector implements StreamObserver<StreamingEvent> {
  private readonly context: RunContext;
  private readonly hooks: AgentHookPipeline;
  private readonly maxChars: number;
  private readonly source: CancellationController;
  private readonly done: (stream: CollectedStream) => void;
  private readonly flow: FlowController | undefined;
  private readonly textMask: RedactingChunkFilter | undefined;
  private readonly reasoningMask: RedactingChunkFilter | undefined;
  private readonly queue: ChunkQueue = new ChunkQueue();
  private received: number = 0;
  private readonly text: TextBuffer = new TextBuffer();
  private readonly reasoning: TextBuffer = new TextBuffer();
  private response: ModelResponse | undefined = undefined;
  private error: ArkAgentError | undefined = undefined;
  private terminal: boolean = false;
  private draining: boolean = false;
  private ended: boolean = false;

  /**
   * @param maxChars UTF-16 code units of text and reasoning
   * @param source of the provider's request: stopped as soon as nothing more is wanted
   * @param done called once
   * @param flow told when the source should stop for a while
   * @param redaction masks what is let through
   */
  constructor(context: RunContext, hooks: AgentHookPipeline, maxChars: number, source: CancellationController,
    done: (stream: CollectedStream) => void, flow?: FlowController, redaction?: SessionRedaction) {
    this.context = context;
    this.hooks = hooks;
    this.maxChars = maxChars;
    this.source = source;
    this.done = done;
    this.flow = flow;
    this.textMask = redaction?.chunkFilter();
    this.reasoningMask = redaction?.chunkFilter();
  }

  onNext(event: StreamingEvent): void {
    if (this.ended || this.terminal || this.response !== undefined) {
      return;
    }
    if (event.type === StreamingEventType.modelComplete) {
      this.takeWhole(event.response);
      return;
    }
    if (event.text !== '') {
      this.takePiece(event);
    }
  }

  onError(error: ArkAgentError): void {
    if (this.ended || this.terminal) {
      return;
    }
    this.terminal = true;
    this.error = error;
    this.settle();
  }

  onComplete(): void {
    if (this.ended || this.terminal) {
      return;
    }
    this.terminal = true;
    if (this.response === undefined) {
      this.error = ArkAgentError.of(ErrorCode.providerProtocol, 'the provider completed without an answer');
    }
    this.settle();
  }

  /** The run was cancelled or suspended: ends at once with what was let through so far. */
  interrupt(): void {
    this.end(undefined, true);
  }

  private takePiece(event: StreamingEvent): void {
    this.received += event.text.length;
    if (this.received > this.maxChars) {
      this.tooLarge(`the answer is longer than ${this.maxChars} characters`);
      return;
    }
    if (!this.hooks.hasChunkHooks) {
      this.emit(event.type === StreamingEventType.textDelta ? event.text : '',
        event.type === StreamingEventType.textDelta ? '' : event.text);
      return;
    }
    this.enqueue(event);
  }

  /** A provider that does not stream sends its text only with the completion; it passes the hooks as one piece. */
  private takeWhole(response: ModelResponse | undefined): void {
    if (response !== undefined && this.received === 0) {
      if (response.reasoning !== '') {
        this.takePiece(StreamingEvent.reasoningDelta(response.reasoning));
      }
      if (response.text !== '') {
        this.takePiece(StreamingEvent.textDelta(response.text));
      }
    }
    this.response = response;
  }

  private enqueue(event: StreamingEvent): void {
    this.queue.add(event);
    if (this.queue.length > PAUSE_ABOVE_CHARS || this.queue.pieces > PAUSE_ABOVE_PIECES) {
      this.flow?.pause();
      if (this.queue.pieces > MAX_PIECES) {
        this.tooLarge(`more than ${MAX_PIECES} pieces wait for a hook`);
        return;
      }
    }
    if (!this.draining) {
      this.draining = true;
      this.drain();
    }
  }

  /** What waits still passes the hooks; the request does not go on meanwhile. */
  private tooLarge(message: string): void {
    this.onError(ArkAgentError.of(ErrorCode.providerStreamTooLarge, message));
    this.source.cancel('the answer is too large');
  }

  private async drain(): Promise<void> {
    let event: StreamingEvent | undefined = this.queue.take();
    while (event !== undefined && !this.ended) {
      const isText: boolean = event.type === StreamingEventType.textDelta;
      await this.pass(isText ? event.text : '', isText ? '' : event.text, false);
      if (this.flow?.signal.paused === true && this.queue.length <= RESUME_BELOW_CHARS &&
        this.queue.pieces <= RESUME_BELOW_PIECES) {
        this.flow.resume();
      }
      event = this.queue.take();
    }
    this.draining = false;
    if (this.terminal) {
      this.settle();
    }
  }

  private async pass(text: string, reasoning: string, final: boolean): Promise<void> {
    const outcome: ModelChunkHookOutcome = await this.hooks.onModelChunk(
      new ModelChunkHookContext(this.context.sessionId, this.context.state, text, reasoning, final));
    if (outcome.diagnostics.length > 0) {
      this.context.reporter.diagnostics(outcome.diagnostics);
    }
    if (this.ended) {
      return;
    }
    if (outcome.abort !== undefined) {
      this.end(outcome.abort, false);
      return;
    }
    this.emit(outcome.text, outcome.reasoning);
  }

  private emit(text: string, reasoning: string): void {
    this.show(text === '' || this.textMask === undefined ? text : this.textMask.push(text),
      reasoning === '' || this.reasoningMask === undefined ? reasoning : this.reasoningMask.push(reasoning));
  }

  private show(text: string, reasoning: string): void {
    if (text !== '') {
      this.text.append(text);
      this.context.reporter.textDelta(text);
    }
    if (reasoning !== '') {
      this.reasoning.append(reasoning);
      this.context.reporter.reasoningDelta(reasoning);
    }
  }

  private settle(): void {
    if (this.draining || this.ended) {
      return;
    }
    if (!this.hooks.hasChunkHooks) {
      this.end(undefined, false);
      return;
    }
    this.draining = true;
    this.flush();
  }

  /** One last call, so that a filter that holds text back can let it go (DEC-45). */
  private async flush(): Promise<void> {
    await this.pass('', '', true);
    this.end(undefined, false);
  }

  private end(abort: HookAbort | undefined, interrupted: boolean): void {
    if (this.ended) {
      return;
    }
    this.ended = true;
    this.queue.clear();
    if (abort === undefined && !interrupted) {
      this.show(this.textMask?.flush() ?? '', this.reasoningMask?.flush() ?? '');
    }
    // Whatever ended the stream, the request must not go on; a request that is complete ignores this.
    this.source.cancel('the stream ended');
    this.done(new CollectedStream(this.text.toString(), this.reasoning.toString(), this.response, this.error, abort, interrupted));
  }
}
