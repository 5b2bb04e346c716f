import { Usage } from '../../message/Usage';
import { FinishReason } from '../../model/ModelResponse';
import { ControllerEventTypes } from '../ControllerEventTypes';
import { AgentControllerEvent } from './AgentControllerEvent';
import { EventStamp } from './EventStamp';

/** A request goes to the model; after the beforeModelCall hooks. */
export class LlmBeforeEvent extends AgentControllerEvent {
  /** Model calls of the run so far, this one included. */
  readonly turn: number;
  readonly messageCount: number;
  readonly toolCount: number;

  constructor(stamp: EventStamp, turn: number, messageCount: number, toolCount: number) {
    super(stamp);
    this.turn = turn;
    this.messageCount = messageCount;
    this.toolCount = toolCount;
  }

  eventType(): string {
    return ControllerEventTypes.beforeCallLlm;
  }
}

/** What an observer is told about an answer. */
export interface LlmAnswerSummary {
  turn: number;
  /** After the hooks. */
  text: string;
  toolCallCount: number;
  finishReason: FinishReason;
  usage?: Usage;
}

/** The model answered; after the afterModelCall hooks. */
export class LlmAfterEvent extends AgentControllerEvent {
  readonly turn: number;
  readonly text: string;
  readonly toolCallCount: number;
  readonly finishReason: FinishReason;
  readonly usage: Usage | undefined;

  constructor(stamp: EventStamp, answer: LlmAnswerSummary) {
    super(stamp);
    this.turn = answer.turn;
    this.text = answer.text;
    this.toolCallCount = answer.toolCallCount;
    this.finishReason = answer.finishReason;
    this.usage = answer.usage;
  }

  eventType(): string {
    return ControllerEventTypes.afterCallLlm;
  }
}

/** A piece of streamed text, after the chunk hooks. */
export class LlmChunkEvent extends AgentControllerEvent {
  readonly text: string;
  readonly reasoning: string;

  constructor(stamp: EventStamp, text: string, reasoning: string = '') {
    super(stamp);
    this.text = text;
    this.reasoning = reasoning;
  }

  eventType(): string {
    return ControllerEventTypes.llmChunk;
  }
}
