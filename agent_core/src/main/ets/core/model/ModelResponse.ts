import { JsonObject } from '../json/JsonObject';
import { ToolCall } from '../message/ToolCall';
import { Usage } from '../message/Usage';

/** Why the model stopped, in the runtime's words; the provider's own word is kept beside it. */
export enum FinishReason {
  stop = 'stop',
  toolCalls = 'tool_calls',
  /** The output limit cut the answer: its calls must not run. */
  length = 'length',
  /** Filtered or refused: its calls must not run. */
  contentFilter = 'content_filter',
  error = 'error',
  /** No finish reason, but the stream was closed properly ([DONE]). */
  none = 'none',
  /** A word that the runtime does not know; counts as a normal end. */
  other = 'other'
}

/** How the stream ended; says nothing about the run (DEC-25). */
export enum ModelOutcome {
  complete = 'complete',
  /** The provider reported an error. */
  error = 'error',
  /** The stream ended with neither a finish reason nor [DONE]. */
  incomplete = 'incomplete'
}

/** The parts of a response. */
export interface ModelResponseInit {
  text?: string;
  reasoning?: string;
  toolCalls?: ReadonlyArray<ToolCall>;
  finishReason?: FinishReason;
  rawFinishReason?: string;
  usage?: Usage;
  extras?: JsonObject;
  outcome?: ModelOutcome;
}

/** What a model answered. Immutable. */
export class ModelResponse {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: ReadonlyArray<ToolCall>;
  readonly finishReason: FinishReason;
  /** The provider's word; undefined when it gave none. */
  readonly rawFinishReason: string | undefined;
  readonly usage: Usage | undefined;
  /** Opaque values that the provider wants back with the message. */
  readonly extras: JsonObject | undefined;
  readonly outcome: ModelOutcome;

  constructor(init: ModelResponseInit) {
    this.text = init.text ?? '';
    this.reasoning = init.reasoning ?? '';
    this.toolCalls = init.toolCalls ?? [];
    this.finishReason = init.finishReason ?? FinishReason.stop;
    this.rawFinishReason = init.rawFinishReason;
    this.usage = init.usage;
    this.extras = init.extras;
    this.outcome = init.outcome ?? ModelOutcome.complete;
  }

  static text(text: string): ModelResponse {
    const init: ModelResponseInit = { text: text };
    return new ModelResponse(init);
  }

  static calls(calls: ReadonlyArray<ToolCall>): ModelResponse {
    const init: ModelResponseInit = { toolCalls: calls, finishReason: FinishReason.toolCalls };
    return new ModelResponse(init);
  }

  /** Whether the calls of this answer may run at all: never when it was cut, filtered, broken off or ended in an error (DEC-25). */
  get callsMayRun(): boolean {
    return this.outcome === ModelOutcome.complete && this.finishReason !== FinishReason.length &&
      this.finishReason !== FinishReason.contentFilter && this.finishReason !== FinishReason.error;
  }

  /** The parts of this response, to make a changed copy from. */
  toInit(): ModelResponseInit {
    const init: ModelResponseInit = {
      text: this.text, reasoning: this.reasoning, toolCalls: this.toolCalls, finishReason: this.finishReason,
      rawFinishReason: this.rawFinishReason, usage: this.usage, extras: this.extras, outcome: this.outcome
    };
    return init;
  }
}
