import type { AgentEvent, AgentStopReason, ArkAgentError, PendingApprovalItem } from 'agent_core';
import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';

/** Facts about a process and its session, said once at the start. */
export interface DemoStart {
  readonly restored: boolean;
  /** `Continued from …`; empty for a new session. */
  readonly line: string;
  readonly revision: number;
  readonly online: boolean;
}

/** Where the demonstration says what happens: lines for a person or JSON for a machine. */
export interface DemoOutput {
  start(start: DemoStart): void;
  message(text: string): void;
  event(event: AgentEvent): void;
  card(card: ApprovalCardModel, revision: number): void;
  /** A decision that was stored. */
  decided(item: PendingApprovalItem): void;
  /** A decision that was not taken; the question stands. */
  refused(error: ArkAgentError): void;
  /** A segment did not begin or failed. */
  failed(error: ArkAgentError): void;
  ended(stopReason: AgentStopReason): void;
  /** Left with an open question. */
  later(): void;
  /** The run was asked to stop; once more leaves at once. */
  stopHint(): void;
  /** The process is about to kill itself, as part of the story. */
  dying(): void;
}
