import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentHook } from '../AgentHook';
import { HookAbort } from '../HookAbort';
import { HookSlot } from '../HookSlot';
import { HookResultBase } from '../result/HookResultBase';

/** What a hook's time-out rejects with; told apart from what hooks throw themselves. */
export class HookTimeout extends Error {
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Turns what hooks do wrong, and their aborts, into errors. */
export class HookFaults {
  /** The error of an abort: the hook's own one, or hook_abort with its reason. */
  static aborted(hook: AgentHook, slot: HookSlot, result: HookResultBase): HookAbort {
    if (result.error instanceof ArkAgentError) {
      return new HookAbort(result.error, hook.name, slot);
    }
    const why: string = result.reason === '' ? `hook "${hook.name}" aborted the run in ${slot}` : result.reason;
    return new HookAbort(ArkAgentError.of(ErrorCode.hookAbort, why, HookFaults.options(hook, slot)), hook.name, slot);
  }

  /** hook_failed with the thrown value as cause. */
  static failed(hook: AgentHook, slot: HookSlot, thrown: Object | null | undefined): ArkAgentError {
    const options: ArkAgentErrorOptions = HookFaults.options(hook, slot);
    if (thrown instanceof HookTimeout) {
      return ArkAgentError.of(ErrorCode.hookFailed,
        `hook "${hook.name}" did not answer ${slot} within ${thrown.timeoutMs} ms`, options);
    }
    if (thrown instanceof Error) {
      options.cause = thrown;
    }
    return ArkAgentError.of(ErrorCode.hookFailed, `hook "${hook.name}" threw in ${slot}`, options);
  }

  /** hook_failed for an answer that is no result of the slot. */
  static wrongShape(hook: AgentHook, slot: HookSlot): ArkAgentError {
    return ArkAgentError.of(ErrorCode.hookFailed,
      `hook "${hook.name}" answered ${slot} with something that is no result of this slot`, HookFaults.options(hook, slot));
  }

  /** One line for a diagnostic. */
  static describe(fault: ArkAgentError): string {
    return fault.cause === undefined ? fault.message : `${fault.message}: ${fault.cause.message}`;
  }

  private static options(hook: AgentHook, slot: HookSlot): ArkAgentErrorOptions {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('hook', hook.name);
    details.set('slot', slot);
    return { details: details };
  }
}
