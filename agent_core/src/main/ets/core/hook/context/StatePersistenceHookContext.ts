import { ArkAgentError } from '../../base/ArkAgentError';
import { PersistReason, PersistReasons } from '../../state/PersistReason';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { Snapshots } from '../Snapshots';
import { HookContextBase } from './HookContextBase';

/** Which half of a journalled call is written with reason tool_effect. */
export enum ToolEffectPhase {
  started = 'started',
  finished = 'finished'
}

/** What else is known about a write. */
export interface StatePersistenceDetails {
  /** With reason tool_effect. */
  effectPhase?: ToolEffectPhase;
  /** With reason tool_effect. */
  callId?: string;
  /** With reason terminal: the error that the run ends with. */
  runError?: ArkAgentError;
}

/** Before or after the state is written. */
export class StatePersistenceHookContext extends HookContextBase {
  readonly reason: PersistReason;
  /** A mandatory write happens although a hook says skip. */
  readonly mandatory: boolean;
  readonly effectPhase: ToolEffectPhase | undefined;
  readonly callId: string | undefined;
  readonly runError: ArkAgentError | undefined;

  constructor(sessionId: string, state: ReadonlyAgentState, reason: PersistReason, details?: StatePersistenceDetails) {
    super(sessionId, state);
    this.reason = reason;
    this.mandatory = PersistReasons.isMandatory(reason);
    this.effectPhase = details?.effectPhase;
    this.callId = details?.callId;
    this.runError = details?.runError;
  }

  /** The same facts for another hook, sharing nothing that could be changed. @internal */
  copy(): StatePersistenceHookContext {
    const details: StatePersistenceDetails = {
      effectPhase: this.effectPhase, callId: this.callId,
      runError: this.runError === undefined ? undefined : Snapshots.error(this.runError)
    };
    return new StatePersistenceHookContext(this.sessionId, this.state, this.reason, details);
  }
}
