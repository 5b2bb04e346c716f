import { ArkAgentError } from '../base/ArkAgentError';
import { ToolCall } from '../message/ToolCall';
import { Usage } from '../message/Usage';
import { FinishReason, ModelOutcome, ModelResponse, ModelResponseInit } from '../model/ModelResponse';
import { StreamingEvent } from '../model/StreamingEvent';

/** How a scripted turn ends. */
export enum ScriptedEnding {
  complete = 'complete',
  /** The events, then the error; the part told before comes as modelComplete where there is one. */
  error = 'error',
  /** The events, then nothing until the call is cancelled. */
  hang = 'hang'
}

/**
 * What a scripted model does in one call: deltas in order, then an ending. Built in a chain:
 * `new ScriptedTurn().text('I look', ' it up.').call('c1', 'get_weather', '{"city":"Paris"}')`.
 */
export class ScriptedTurn {
  private readonly deltas: StreamingEvent[] = [];
  private readonly calls: ToolCall[] = [];
  private textSoFar: string = '';
  private reasoningSoFar: string = '';
  private finishReason: FinishReason | undefined = undefined;
  private tokens: Usage | undefined = undefined;
  private endingKind: ScriptedEnding = ScriptedEnding.complete;
  private failure: ArkAgentError | undefined = undefined;
  private outcome: ModelOutcome = ModelOutcome.complete;

  /** A turn that answers with these deltas. */
  static text(...deltas: string[]): ScriptedTurn {
    return new ScriptedTurn().text(...deltas);
  }

  /** A turn that makes one call. */
  static call(id: string, name: string, argumentsJson: string): ScriptedTurn {
    return new ScriptedTurn().call(id, name, argumentsJson);
  }

  /** A turn that fails before anything was told. */
  static fail(error: ArkAgentError): ScriptedTurn {
    return new ScriptedTurn().fail(error, undefined);
  }

  /** A turn that tells nothing until the call is cancelled. */
  static hang(): ScriptedTurn {
    return new ScriptedTurn().hang();
  }

  text(...deltas: string[]): ScriptedTurn {
    for (const delta of deltas) {
      this.textSoFar += delta;
      this.deltas.push(StreamingEvent.textDelta(delta));
    }
    return this;
  }

  reasoning(...deltas: string[]): ScriptedTurn {
    for (const delta of deltas) {
      this.reasoningSoFar += delta;
      this.deltas.push(StreamingEvent.reasoningDelta(delta));
    }
    return this;
  }

  call(id: string, name: string, argumentsJson: string): ScriptedTurn {
    this.calls.push(new ToolCall(id, name, argumentsJson, this.calls.length));
    return this;
  }

  /** Without it: tool_calls for a turn with calls, otherwise stop. */
  finish(reason: FinishReason): ScriptedTurn {
    this.finishReason = reason;
    return this;
  }

  usage(promptTokens: number, completionTokens: number): ScriptedTurn {
    this.tokens = new Usage(promptTokens, completionTokens, promptTokens + completionTokens);
    return this;
  }

  /** @param outcome of the part that is told before the error; undefined tells the error alone */
  fail(error: ArkAgentError, outcome: ModelOutcome | undefined): ScriptedTurn {
    this.endingKind = ScriptedEnding.error;
    this.failure = error;
    this.outcome = outcome ?? ModelOutcome.complete;
    return this;
  }

  hang(): ScriptedTurn {
    this.endingKind = ScriptedEnding.hang;
    return this;
  }

  get ending(): ScriptedEnding {
    return this.endingKind;
  }

  /** The deltas in order. */
  events(): ReadonlyArray<StreamingEvent> {
    return this.deltas;
  }

  /** Set for a turn that fails. */
  error(): ArkAgentError | undefined {
    return this.failure;
  }

  /** The whole answer; undefined when only the error is told. */
  response(): ModelResponse | undefined {
    if (this.endingKind === ScriptedEnding.error && this.outcome === ModelOutcome.complete) {
      return undefined;
    }
    const reason: FinishReason = this.finishReason ?? (this.calls.length > 0 ? FinishReason.toolCalls : FinishReason.stop);
    const init: ModelResponseInit = {
      text: this.textSoFar, reasoning: this.reasoningSoFar, toolCalls: this.calls.slice(), finishReason: reason,
      rawFinishReason: reason, usage: this.tokens, outcome: this.outcome
    };
    return new ModelResponse(init);
  }
}
