import { CancellationSignal } from '../base/Cancellation';
import { JsonObject } from '../json/JsonObject';
import { ToolServiceRegistry } from './ToolService';

/** All that a tool or a hook sees of the session: no history, no key, no runtime. */
export interface ReadonlyAgentState {
  readonly schemaVersion: number;
  readonly sessionId: string;
  /** An open copy: changing it changes nothing. */
  metadata(): JsonObject;
}

/** What an executor gets beside its arguments: exactly these five members. */
export class ToolContext {
  readonly sessionId: string;
  readonly state: ReadonlyAgentState;
  /** The same for all calls of one assistant message. */
  readonly batchCallId: string;
  /** Cancelled when the person cancels, the deadline passes or the app suspends. */
  readonly signal: CancellationSignal;
  readonly services: ToolServiceRegistry;

  constructor(sessionId: string, state: ReadonlyAgentState, batchCallId: string, signal: CancellationSignal,
    services: ToolServiceRegistry) {
    this.sessionId = sessionId;
    this.state = state;
    this.batchCallId = batchCallId;
    this.signal = signal;
    this.services = services;
  }
}
