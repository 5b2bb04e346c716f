import { ReadonlyAgentState } from '../../tool/ToolContext';
import { HookContextBase } from './HookContextBase';

/** One piece of a streamed answer. */
export class ModelChunkHookContext extends HookContextBase {
  /** New text; empty for a piece of reasoning and for the last call. */
  readonly text: string;
  /** New reasoning; empty for a piece of text and for the last call. */
  readonly reasoning: string;
  /** The last call of the stream, with empty text: a filter that held text back returns it now (DEC-45). */
  readonly final: boolean;

  constructor(sessionId: string, state: ReadonlyAgentState, text: string, reasoning: string, final: boolean) {
    super(sessionId, state);
    this.text = text;
    this.reasoning = reasoning;
    this.final = final;
  }

  copyWith(text: string, reasoning: string): ModelChunkHookContext {
    return new ModelChunkHookContext(this.sessionId, this.state, text, reasoning, this.final);
  }
}
