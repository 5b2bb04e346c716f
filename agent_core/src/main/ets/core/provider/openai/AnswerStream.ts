import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { FinishReason, ModelOutcome, ModelResponse } from '../../model/ModelResponse';
import { HttpResponseObserver } from '../../port/HttpTransport';
import { IncrementalTextDecoder } from '../../port/TextDecoding';
import { SseParser, SseSink } from '../sse/SseParser';
import { ChatAnswer, finishReasonOf } from './ChatAnswer';
import { ChunkReader } from './ChunkReader';
import { ProviderErrors } from './ProviderErrors';
import { SecretMask } from './SecretMask';
import { parseObject } from './WireTypes';

/** Bounds of one answer. */
export interface AnswerLimits {
  /** Bytes of the whole body. */
  maxResponseBytes: number;
  /** Characters of one line and of one event. */
  maxEventChars: number;
}

/** How an answer ended. */
export class AnswerVerdict {
  /** What arrived; undefined when nothing of an answer did. */
  readonly response: ModelResponse | undefined;
  /** undefined for a complete answer. */
  readonly error: ArkAgentError | undefined;

  constructor(response: ModelResponse | undefined, error: ArkAgentError | undefined) {
    this.response = response;
    this.error = error;
  }
}

/** Told once per answer. */
export interface AnswerListener {
  onVerdict(verdict: AnswerVerdict): void;
  /** The answer holds an error; what still follows is wanted, but not worth a long wait. */
  onFault(): void;
}

/** How much of lines that do not belong to the format is kept once chunks have come. */
const FOREIGN_CHARS: number = 2_000;
/** How much of a refusal's body is read. */
const REFUSAL_CHARS: number = 64 * 1024;

/**
 * One HTTP answer, from bytes to a verdict.
 *
 * The answer ends at `[DONE]`, whether or not the connection does; without `[DONE]` it is complete when a finish reason came. A body that is no event
 * stream is kept: a chat completion in one JSON text is read as the answer, an error as the error, everything else is `provider_protocol`.
 */
export class AnswerStream implements HttpResponseObserver, SseSink {
  private readonly answer: ChatAnswer;
  private readonly reader: ChunkReader;
  private readonly decoder: IncrementalTextDecoder;
  private readonly limits: AnswerLimits;
  private readonly mask: SecretMask;
  private readonly listener: AnswerListener;
  private readonly parser: SseParser;
  private headers: ReadonlyMap<string, string> = new Map<string, string>();
  private status: number = 0;
  private received: number = 0;
  private foreign: string = '';
  private done: boolean = false;
  private ended: boolean = false;

  constructor(answer: ChatAnswer, reader: ChunkReader, decoder: IncrementalTextDecoder, limits: AnswerLimits, mask: SecretMask,
    listener: AnswerListener) {
    this.answer = answer;
    this.reader = reader;
    this.decoder = decoder;
    this.limits = limits;
    this.mask = mask;
    this.listener = listener;
    this.parser = new SseParser(this, limits.maxEventChars);
  }

  onHeaders(status: number, headers: Map<string, string>): void {
    this.status = status;
    this.headers = headers;
  }

  onBytes(bytes: Uint8Array): void {
    if (this.ended) {
      return;
    }
    this.received += bytes.length;
    if (this.received > this.limits.maxResponseBytes) {
      this.onTooLarge();
    } else {
      this.take(this.decoder.decode(bytes, false));
    }
  }

  onEnd(status: number): void {
    if (this.ended) {
      return;
    }
    this.status = status;
    this.take(this.decoder.decode(new Uint8Array(0), true));
    const unfinished: string | undefined = this.parser.end();
    if (!this.ended && unfinished !== undefined) {
      this.readUnfinished(unfinished);
    }
    this.conclude();
  }

  onError(error: ArkAgentError): void {
    if (this.ended) {
      return;
    }
    if (this.answer.fault !== undefined || this.isFinished()) {
      this.conclude();
    } else {
      this.end(this.answer.chunks > 0 ? ModelOutcome.incomplete : undefined, error);
    }
  }

  onEvent(data: string): void {
    const first: number = data.charCodeAt(0);
    if (first !== 0x7B) {
      const trimmed: string = data.trim();
      if (trimmed === '[DONE]') {
        this.done = true;
        this.conclude();
        return;
      }
      if (trimmed === '' || trimmed === 'null') {
        return;
      }
    }
    this.readChunk(data);
  }

  onForeignLine(line: string): void {
    const room: number = (this.answer.chunks === 0 ? this.limits.maxEventChars : FOREIGN_CHARS) - this.foreign.length;
    if (line.length <= room) {
      this.foreign = this.foreign === '' ? line : this.foreign + '\n' + line;
    } else if (this.answer.chunks === 0) {
      this.onTooLarge();
    }
  }

  onTooLarge(): void {
    this.end(this.answer.chunks > 0 ? ModelOutcome.incomplete : undefined, ArkAgentError.of(ErrorCode.providerStreamTooLarge,
      `the answer is larger than allowed (${this.limits.maxResponseBytes} bytes, ${this.limits.maxEventChars} characters an event)`));
  }

  /** Ends the answer as it stands, for a connection that stays open after an error. */
  conclude(): void {
    if (this.ended) {
      return;
    }
    if (this.status >= 300) {
      this.concludeRefusal();
    } else if (this.answer.fault !== undefined) {
      this.end(ModelOutcome.error, ProviderErrors.ofFault(this.answer.fault, this.status, this.headers, this.mask));
    } else if (this.answer.chunks === 0 && this.foreign.trim() !== '') {
      this.concludeForeign();
    } else if (finishReasonOf(this.answer.finishReason) === FinishReason.error) {
      this.end(ModelOutcome.error, ArkAgentError.of(ErrorCode.providerStreamError,
        `the provider ended the answer with "${this.mask.shorten(this.answer.finishReason ?? '', 40)}" and no reason`));
    } else if (this.isFinished()) {
      this.end(ModelOutcome.complete, undefined);
    } else {
      this.end(ModelOutcome.incomplete, this.incompleteError());
    }
  }

  /** Nothing is told any more. */
  abandon(): void {
    this.ended = true;
    this.parser.stop();
  }

  private take(text: string): void {
    if (this.status < 300) {
      this.parser.push(text);
    } else if (this.foreign.length < REFUSAL_CHARS) {
      this.foreign += text;
    }
  }

  private isFinished(): boolean {
    return this.done || this.answer.finishReason !== undefined;
  }

  private readChunk(data: string): void {
    const raw: Object | undefined = parseObject(data);
    if (raw === undefined) {
      const shown: string = /^\s*[{["]/.test(data) ? '' : data;
      this.end(this.answer.chunks > 0 ? ModelOutcome.error : undefined, ProviderErrors.protocol(
        `the provider sent an event that is no JSON object (${data.length} characters)`, shown, this.status, this.mask));
      return;
    }
    const before: boolean = this.answer.fault !== undefined;
    this.consume(raw);
    if (!this.ended && !before && this.answer.fault !== undefined) {
      this.listener.onFault();
    }
  }

  /** Nested a hundred thousand levels deep, JSON that parses can still be too much to work on. */
  private consume(raw: Object): void {
    try {
      this.reader.read(raw);
    } catch (e) {
      this.end(this.answer.chunks > 0 ? ModelOutcome.error : undefined, ProviderErrors.protocol(
        `the provider sent an event that cannot be read (${(e as Error).name})`, '', this.status, this.mask));
    }
  }

  /** An event that no blank line closed counts when it is whole; a part of one is what a cut connection leaves. */
  private readUnfinished(data: string): void {
    const text: string = data.trim();
    if (text === '[DONE]') {
      this.onEvent(text);
      return;
    }
    const raw: Object | undefined = parseObject(text);
    if (raw !== undefined) {
      this.consume(raw);
    }
  }

  private concludeRefusal(): void {
    const partial: ModelOutcome | undefined = this.answer.chunks > 0 && this.answer.fault === undefined ? ModelOutcome.error : undefined;
    const error: ArkAgentError = this.answer.fault !== undefined ?
      ProviderErrors.ofFault(this.answer.fault, this.status, this.headers, this.mask) :
      ProviderErrors.ofStatus(this.status, this.headers, this.foreign, this.mask);
    this.end(partial, error);
  }

  /** No event came, but something else did. */
  private concludeForeign(): void {
    const text: string = this.foreign.trim();
    const raw: Object | undefined = parseObject(text);
    if (raw !== undefined) {
      this.consume(raw);
      if (this.answer.fault !== undefined || this.answer.finishReason !== undefined || this.answer.text.length > 0 ||
        this.answer.calls.started) {
        this.done = true;
        this.conclude();
        return;
      }
    }
    const what: string = text.startsWith('<') ? 'the provider sent a web page instead of an answer' :
      'the provider sent something that is neither an event stream nor a chat completion';
    this.end(undefined, ProviderErrors.protocol(what, raw === undefined ? text : '', this.status, this.mask));
  }

  private incompleteError(): ArkAgentError {
    const said: string = this.foreign === '' ? '' : `; last seen: ${this.mask.shorten(this.foreign, 120)}`;
    return ArkAgentError.of(ErrorCode.providerStreamIncomplete,
      `the answer ended with neither a finish reason nor [DONE]${said}`);
  }

  /** @param outcome undefined when there is no part of an answer to hand on */
  private end(outcome: ModelOutcome | undefined, error: ArkAgentError | undefined): void {
    if (this.ended) {
      return;
    }
    this.ended = true;
    this.parser.stop();
    this.listener.onVerdict(new AnswerVerdict(outcome === undefined ? undefined : this.answer.toResponse(outcome), error));
  }
}
