import { ModelResponse } from './ModelResponse';

export enum StreamingEventType {
  textDelta = 'text_delta',
  reasoningDelta = 'reasoning_delta',
  modelComplete = 'model_complete'
}

/** One event of a model's stream. */
export class StreamingEvent {
  readonly type: StreamingEventType;
  /** The new text of a delta; empty for modelComplete. */
  readonly text: string;
  /** The whole answer; only with modelComplete. */
  readonly response: ModelResponse | undefined;

  constructor(type: StreamingEventType, text: string, response?: ModelResponse) {
    this.type = type;
    this.text = text;
    this.response = response;
  }

  static textDelta(text: string): StreamingEvent {
    return new StreamingEvent(StreamingEventType.textDelta, text);
  }

  static reasoningDelta(text: string): StreamingEvent {
    return new StreamingEvent(StreamingEventType.reasoningDelta, text);
  }

  static modelComplete(response: ModelResponse): StreamingEvent {
    return new StreamingEvent(StreamingEventType.modelComplete, '', response);
  }
}
