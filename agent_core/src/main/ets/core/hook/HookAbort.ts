import { ArkAgentError } from '../base/ArkAgentError';
import { HookSlot } from './HookSlot';

/** A hook ended the run, by saying so or by failing closed. The stop reason is aborted either way (DEC-33). Immutable. */
export class HookAbort {
  /** hook_abort or hook_failed (security), or the hook's own error with its own code and layer. */
  readonly error: ArkAgentError;
  readonly hookName: string;
  readonly slot: HookSlot;

  constructor(error: ArkAgentError, hookName: string, slot: HookSlot) {
    this.error = error;
    this.hookName = hookName;
    this.slot = slot;
  }
}
