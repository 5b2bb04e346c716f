import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolResult } from '../../tool/ToolResult';
import { HookResultBase } from './HookResultBase';

export enum ToolResultHookAction {
  proceed = 'proceed',
  stop = 'stop',
  abort = 'abort'
}

/** Answer of afterToolCall. */
export class ToolResultHookResult extends HookResultBase {
  readonly action: ToolResultHookAction;
  /** Set with proceed and stop. */
  readonly result: ToolResult | undefined;
  /** Follow the last result of the batch; roles user and system only, others are dropped (DEC-35). */
  readonly injected: ReadonlyArray<AgentMessage>;

  private constructor(action: ToolResultHookAction, result: ToolResult | undefined,
    injected: ReadonlyArray<AgentMessage>, reason: string, error: ArkAgentError | undefined) {
    super(action === ToolResultHookAction.abort, reason, error);
    this.action = action;
    this.result = result;
    this.injected = injected;
  }

  static proceed(result: ToolResult, injected: ReadonlyArray<AgentMessage> = []): ToolResultHookResult {
    return new ToolResultHookResult(ToolResultHookAction.proceed, result, injected, '', undefined);
  }

  /** The batch completes, then the run ends with stop reason hook_stop. */
  static stop(result: ToolResult, injected: ReadonlyArray<AgentMessage> = [], reason: string = ''): ToolResultHookResult {
    return new ToolResultHookResult(ToolResultHookAction.stop, result, injected, reason, undefined);
  }

  static abort(reason: string, error?: ArkAgentError): ToolResultHookResult {
    return new ToolResultHookResult(ToolResultHookAction.abort, undefined, [], reason, error);
  }
}
