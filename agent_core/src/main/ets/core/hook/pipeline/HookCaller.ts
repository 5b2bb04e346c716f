import { ArkAgentError } from '../../base/ArkAgentError';
import { ScheduledTask, Scheduler } from '../../port/Scheduler';
import { AgentHook } from '../AgentHook';
import { HookAbort } from '../HookAbort';
import { HookDiagnosticCode } from '../HookDiagnostic';
import { HookFailureMode } from '../HookFailureMode';
import { HookResultBase } from '../result/HookResultBase';
import { HookFaults, HookTimeout } from './HookFaults';
import { SlotLog } from './SlotLog';

/** Calls one slot of one hook and turns whatever comes back into an answer, an abort or nothing. */
export class HookCaller {
  private readonly scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * @param invoke calls the hook; it may also throw at once
   * @param fits whether an answer is a complete result of the slot
   * @returns the result; an abort, asked for or by failing closed; undefined when the hook failed open (logged)
   */
  async ask<R extends HookResultBase>(hook: AgentHook, log: SlotLog, invoke: () => Promise<R>,
    fits: (answer: R) => boolean): Promise<R | HookAbort | undefined> {
    try {
      const pending: Promise<R> = invoke();
      const answer: R = hook.timeoutMs > 0 ? await this.limited<R>(hook, pending) : await pending;
      return this.judge<R>(hook, log, answer, fits);
    } catch (e) {
      return this.fault(hook, log, HookFaults.failed(hook, log.slot, e as Object));
    }
  }

  /** Calls an observing slot: whatever goes wrong is only logged. */
  async tell(hook: AgentHook, log: SlotLog, invoke: () => Promise<void>): Promise<void> {
    try {
      const pending: Promise<void> = invoke();
      if (hook.timeoutMs > 0) {
        await this.limited<void>(hook, pending);
      } else {
        await pending;
      }
    } catch (e) {
      const failed: ArkAgentError = HookFaults.failed(hook, log.slot, e as Object);
      log.add(hook.name, HookFaults.describe(failed), HookDiagnosticCode.hookFailed);
    }
  }

  /** An answer that came, checked: the result, its abort, or what a wrong shape means. */
  judge<R extends HookResultBase>(hook: AgentHook, log: SlotLog, answer: R,
    fits: (answer: R) => boolean): R | HookAbort | undefined {
    if (!fits(answer)) {
      return this.fault(hook, log, HookFaults.wrongShape(hook, log.slot));
    }
    return answer.aborts ? HookFaults.aborted(hook, log.slot, answer) : answer;
  }

  /** What a failure means for the run: an abort, or a diagnostic and nothing. */
  fault(hook: AgentHook, log: SlotLog, failed: ArkAgentError): HookAbort | undefined {
    if (hook.failureMode === HookFailureMode.failOpen) {
      log.add(hook.name, HookFaults.describe(failed), HookDiagnosticCode.hookFailed);
      return undefined;
    }
    return new HookAbort(failed, hook.name, log.slot);
  }

  /**
   * The answer, or a HookTimeout when it takes longer than the hook may. What a late hook still says or throws is
   * ignored: its promise keeps both handlers.
   */
  limited<T>(hook: AgentHook, pending: Promise<T>): Promise<T> {
    return new Promise<T>((resolve: (value: T | PromiseLike<T>) => void, reject: (reason: Error) => void): void => {
      const deadline: ScheduledTask = this.scheduler.schedule(hook.timeoutMs, (): void => {
        reject(new HookTimeout(hook.timeoutMs) as Error);
      });
      Promise.resolve<T>(pending).then((value: T): void => {
        deadline.cancel();
        resolve(value);
      }, (e: Error): void => {
        deadline.cancel();
        reject(e);
      });
    });
  }
}
