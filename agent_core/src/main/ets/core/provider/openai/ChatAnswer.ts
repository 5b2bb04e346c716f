import { TextBuffer } from '../../base/TextBuffer';
import { IdGenerator } from '../../port/IdGenerator';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { FinishReason, ModelOutcome, ModelResponse, ModelResponseInit } from '../../model/ModelResponse';
import { ReasoningDetails } from './ReasoningDetails';
import { isHighSurrogate } from './StreamEmitter';
import { ToolCallAssembler } from './ToolCallAssembler';
import { UsageReader } from './UsageReader';
import { WireFault } from './WireFault';

/** What one answer has brought so far. */
export class ChatAnswer {
  readonly calls: ToolCallAssembler;
  readonly text: TextBuffer = new TextBuffer();
  readonly reasoning: TextBuffer = new TextBuffer();
  refusal: string = '';
  /** The provider's own word, the last one that was not empty. */
  finishReason: string | undefined = undefined;
  /** The last usage object, as it came. */
  usage: Object | undefined = undefined;
  fault: WireFault | undefined = undefined;
  /** Chunks that were understood. */
  chunks: number = 0;
  private details: ReasoningDetails | undefined = undefined;

  constructor(ids: IdGenerator) {
    this.calls = new ToolCallAssembler(ids);
  }

  addReasoningDetails(pieces: ReadonlyArray<Object | null>): void {
    if (this.details === undefined) {
      this.details = new ReasoningDetails();
    }
    this.details.add(pieces);
  }

  toResponse(outcome: ModelOutcome): ModelResponse {
    const init: ModelResponseInit = {
      text: wellFormedEnd(this.text.toString()), reasoning: wellFormedEnd(this.reasoning.toString()), toolCalls: this.calls.finish(),
      finishReason: this.reason(), rawFinishReason: this.finishReason,
      usage: this.usage === undefined ? undefined : UsageReader.read(this.usage), extras: this.extras(), outcome: outcome
    };
    return new ModelResponse(init);
  }

  /** A refusal has a finish reason of its own in the runtime; OpenAI reports it as an ordinary stop. */
  private reason(): FinishReason {
    return this.refusal !== '' ? FinishReason.contentFilter : finishReasonOf(this.finishReason);
  }

  private extras(): JsonObject | undefined {
    const extras: JsonObject = new JsonObject();
    const details: JsonValue | undefined = this.details?.value();
    if (details !== undefined) {
      extras.set('reasoning_details', details);
    }
    const perCall: JsonValue | undefined = this.calls.extras();
    if (perCall !== undefined) {
      extras.set('tool_calls', perCall);
    }
    if (this.refusal !== '') {
      extras.setString('refusal', this.refusal);
    }
    return extras.size === 0 ? undefined : extras.seal();
  }
}

/** The runtime's word for a provider's finish reason. */
export function finishReasonOf(raw: string | undefined): FinishReason {
  switch (raw) {
    case undefined:
      return FinishReason.none;
    case 'stop':
    case 'end_turn':
      return FinishReason.stop;
    case 'tool_calls':
    case 'function_call':
    case 'tool_use':
      return FinishReason.toolCalls;
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return FinishReason.length;
    case 'content_filter':
    case 'safety':
    case 'refusal':
    case 'sensitive':
      return FinishReason.contentFilter;
    case 'error':
    case 'network_error':
      return FinishReason.error;
    default:
      return FinishReason.other;
  }
}

function wellFormedEnd(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.substring(0, text.length - 1) + '\uFFFD' : text;
}
