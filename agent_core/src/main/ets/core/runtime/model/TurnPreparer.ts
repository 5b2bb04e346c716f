import { MessageList } from '../../message/MessageList';
import { MissingResultReason, WireHistory } from '../../message/WireHistory';
import { ModelOptions, ModelRequest } from '../../model/ModelRequest';
import { ToolDefinition } from '../../model/ToolDefinition';
import { CloseReason } from '../../state/OpenCall';
import { OpenBatch } from '../../state/OpenBatch';
import { SessionStore } from '../store/SessionStore';
import { VisibleTools } from './VisibleTools';

/** Builds the request of a turn from system prompt, history and visible tools. Costs what is new, not the whole history. */
export class TurnPreparer {
  private readonly systemPrompt: string;
  private readonly options: ModelOptions;
  private readonly tools: VisibleTools;
  private readonly store: SessionStore;
  private readonly wire: WireHistory = new WireHistory();
  private readonly reasonOf: MissingResultReason;

  constructor(systemPrompt: string, options: ModelOptions, tools: VisibleTools, store: SessionStore) {
    this.systemPrompt = systemPrompt;
    this.options = options;
    this.tools = tools;
    this.store = store;
    this.reasonOf = (assistantMessageId: string, position: number): string => {
      const batch: OpenBatch | undefined = store.draft.openBatch;
      if (batch === undefined || batch.assistantMessageId !== assistantMessageId) {
        return CloseReason.notExecuted;
      }
      return batch.calls[position]?.reason ?? CloseReason.notExecuted;
    };
  }

  prepare(): ModelRequest {
    const messages: MessageList = this.wire.toWire(this.store.draft.history, this.reasonOf);
    return new ModelRequest(this.systemPrompt, messages, this.tools.select().visible, this.options);
  }

  /** The request after hooks: pairs are complete again, and only tools that were visible before count (DEC-39). */
  settle(prepared: ModelRequest, hooked: ModelRequest): ModelRequest {
    if (hooked === prepared) {
      return prepared;
    }
    let settled: ModelRequest = hooked;
    if (hooked.messages !== prepared.messages) {
      settled = settled.withMessages(new WireHistory().toWire(hooked.messages, this.reasonOf));
    }
    if (hooked.tools !== prepared.tools) {
      const known: Set<ToolDefinition> = new Set<ToolDefinition>(prepared.tools);
      settled = settled.withTools(hooked.tools.filter((tool: ToolDefinition) => known.has(tool)));
    }
    return settled;
  }
}
