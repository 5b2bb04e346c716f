import { ArkAgentError } from '../../base/ArkAgentError';

/** What the results of all slots share. */
export abstract class HookResultBase {
  /** The run is to end. */
  readonly aborts: boolean;
  /** Why the hook did not simply proceed; may be empty. */
  readonly reason: string;
  /** The hook's own error of an abort: its code and layer are kept. */
  readonly error: ArkAgentError | undefined;

  protected constructor(aborts: boolean, reason: string, error: ArkAgentError | undefined) {
    this.aborts = aborts;
    this.reason = reason;
    this.error = error;
  }
}
