import { ArkAgentError } from '../../base/ArkAgentError';
import { ToolCall } from '../../message/ToolCall';
import { ToolResult } from '../../tool/ToolResult';
import { HookResultBase } from './HookResultBase';

export enum ToolCallHookAction {
  proceed = 'proceed',
  deny = 'deny',
  defer = 'defer',
  abort = 'abort'
}

/** Answer of beforeToolCall. */
export class ToolCallHookResult extends HookResultBase {
  readonly action: ToolCallHookAction;
  /** Set with proceed. */
  readonly call: ToolCall | undefined;
  /** A note beside a proceed, shown on the approval card, in events and in the audit. */
  readonly warning: string | undefined;
  /** May be set with deny. */
  readonly syntheticResult: ToolResult | undefined;

  private constructor(action: ToolCallHookAction, call: ToolCall | undefined, warning: string | undefined,
    syntheticResult: ToolResult | undefined, reason: string, error: ArkAgentError | undefined) {
    super(action === ToolCallHookAction.abort, reason, error);
    this.action = action;
    this.call = call;
    this.warning = warning;
    this.syntheticResult = syntheticResult;
  }

  /** @param call may have another name or other arguments; its id and index are kept whatever it says */
  static proceed(call: ToolCall, warning?: string): ToolCallHookResult {
    return new ToolCallHookResult(ToolCallHookAction.proceed, call, warning, undefined, '', undefined);
  }

  /** The call does not run; the model gets the synthetic result, or a standard tool_denied one. */
  static deny(syntheticResult?: ToolResult, reason: string = ''): ToolCallHookResult {
    return new ToolCallHookResult(ToolCallHookAction.deny, undefined, undefined, syntheticResult, reason, undefined);
  }

  /** A person decides. Later hooks still run: they may rewrite, deny or abort, not undo this (DEC-32). */
  static defer(reason: string): ToolCallHookResult {
    return new ToolCallHookResult(ToolCallHookAction.defer, undefined, undefined, undefined, reason, undefined);
  }

  static abort(reason: string, error?: ArkAgentError): ToolCallHookResult {
    return new ToolCallHookResult(ToolCallHookAction.abort, undefined, undefined, undefined, reason, error);
  }
}
