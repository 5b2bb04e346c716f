import { ContentPart } from '../message/ContentPart';
import { Usage } from '../message/Usage';
import { ToolResult } from './ToolResult';
import { ToolCallStatus } from './ToolResultEnvelope';

/** What a child session has come to, as the answer of the call that waits for it. Immutable. @internal */
export class ChildResult extends ToolResult {
  /** The child is suspended; the call keeps waiting. */
  readonly waiting: boolean;
  readonly status: ToolCallStatus;
  /** Error code; empty when ok. */
  readonly code: string;
  /** Of the child and of its children. */
  readonly usage: Usage;

  constructor(status: ToolCallStatus, code: string, text: string, usage: Usage, waiting: boolean = false) {
    super([ContentPart.text(text)], status !== ToolCallStatus.ok);
    this.waiting = waiting;
    this.status = status;
    this.code = code;
    this.usage = usage;
  }

  static stillWaiting(): ChildResult {
    return new ChildResult(ToolCallStatus.ok, '', '', Usage.zero(), true);
  }

  static answered(text: string, usage: Usage): ChildResult {
    return new ChildResult(ToolCallStatus.ok, '', text, usage);
  }

  /** @param status what is known: failed, cancelled or unknown */
  static ended(status: ToolCallStatus, code: string, message: string, usage?: Usage): ChildResult {
    return new ChildResult(status, code, `${code}: ${message}`, usage ?? Usage.zero());
  }
}
