import { ArkAgentError } from '../../base/ArkAgentError';
import { AgentMessage } from '../../message/AgentMessage';
import { HookResultBase } from './HookResultBase';

export enum BeforeRunHookAction {
  proceed = 'proceed',
  abort = 'abort'
}

/** Answer of beforeRun. */
export class BeforeRunHookResult extends HookResultBase {
  readonly action: BeforeRunHookAction;
  /** Set with proceed. */
  readonly input: ReadonlyArray<AgentMessage> | undefined;

  private constructor(action: BeforeRunHookAction, input: ReadonlyArray<AgentMessage> | undefined, reason: string,
    error: ArkAgentError | undefined) {
    super(action === BeforeRunHookAction.abort, reason, error);
    this.action = action;
    this.input = input;
  }

  static proceed(input: ReadonlyArray<AgentMessage>): BeforeRunHookResult {
    return new BeforeRunHookResult(BeforeRunHookAction.proceed, input, '', undefined);
  }

  /** Ends the run before the input is stored. */
  static abort(reason: string, error?: ArkAgentError): BeforeRunHookResult {
    return new BeforeRunHookResult(BeforeRunHookAction.abort, undefined, reason, error);
  }
}
