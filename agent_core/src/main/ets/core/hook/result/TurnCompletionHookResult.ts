import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentMessage } from '../../message/AgentMessage';
import { HookResultBase } from './HookResultBase';

export enum TurnCompletionHookAction {
  accept = 'accept',
  continueRun = 'continue_run',
  abort = 'abort'
}

/** Answer of onTurnCompletion. */
export class TurnCompletionHookResult extends HookResultBase {
  readonly action: TurnCompletionHookAction;
  /** With continueRun: what the model is told next; roles user and system only, others are dropped (DEC-35). */
  readonly messages: ReadonlyArray<AgentMessage>;

  private constructor(action: TurnCompletionHookAction, messages: ReadonlyArray<AgentMessage>, reason: string,
    error: ArkAgentError | undefined) {
    super(action === TurnCompletionHookAction.abort, reason, error);
    this.action = action;
    this.messages = messages;
  }

  /** The run ends here as complete, unless a later hook continues or aborts it. */
  static accept(): TurnCompletionHookResult {
    return new TurnCompletionHookResult(TurnCompletionHookAction.accept, [], '', undefined);
  }

  /** Another turn; the limit of turns still holds. */
  static continueRun(messages: ReadonlyArray<AgentMessage>): TurnCompletionHookResult {
    return new TurnCompletionHookResult(TurnCompletionHookAction.continueRun, messages, '', undefined);
  }

  static abort(reason: string, error?: ArkAgentError): TurnCompletionHookResult {
    return new TurnCompletionHookResult(TurnCompletionHookAction.abort, [], reason, error);
  }
}
