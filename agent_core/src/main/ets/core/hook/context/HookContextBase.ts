import { ReadonlyAgentState } from '../../tool/ToolContext';

/**
 * What every hook gets. Contexts are snapshots: each hook has an own one, and changing anything reachable from it changes
 * nothing in the runtime. A hook makes changes by returning a result.
 */
export abstract class HookContextBase {
  readonly sessionId: string;
  /** Shared by all contexts of a turn. */
  readonly state: ReadonlyAgentState;

  protected constructor(sessionId: string, state: ReadonlyAgentState) {
    this.sessionId = sessionId;
    this.state = state;
  }
}
