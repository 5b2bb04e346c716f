import { ArkAgentError } from '../../base/ArkAgentError';
import { HookResultBase } from './HookResultBase';

export enum StatePersistenceHookAction {
  proceed = 'proceed',
  skip = 'skip',
  abort = 'abort'
}

/** Answer of beforePersistState. */
export class StatePersistenceHookResult extends HookResultBase {
  readonly action: StatePersistenceHookAction;

  private constructor(action: StatePersistenceHookAction, reason: string, error: ArkAgentError | undefined) {
    super(action === StatePersistenceHookAction.abort, reason, error);
    this.action = action;
  }

  static proceed(): StatePersistenceHookResult {
    return new StatePersistenceHookResult(StatePersistenceHookAction.proceed, '', undefined);
  }

  /** Leaves this write out; ignored when it is mandatory. What it would have written rides in the next one. */
  static skip(reason: string = ''): StatePersistenceHookResult {
    return new StatePersistenceHookResult(StatePersistenceHookAction.skip, reason, undefined);
  }

  /** Ends the run; honoured also when the write is mandatory (DEC-34). */
  static abort(reason: string, error?: ArkAgentError): StatePersistenceHookResult {
    return new StatePersistenceHookResult(StatePersistenceHookAction.abort, reason, error);
  }
}
