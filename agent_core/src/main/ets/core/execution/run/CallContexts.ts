import { CancellationSignal } from '../../base/Cancellation';
import { Clock } from '../../port/Clock';
import { ChildLink, ChildLinkInit } from '../../tool/ChildLink';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolCallScope, ToolCallScopeInit } from '../../tool/ToolCallScope';
import { ToolContext } from '../../tool/ToolContext';
import { ToolServiceRegistry } from '../../tool/ToolService';
import { CallRun } from './CallRun';
import { JobWay } from './JobWay';
import { PreparedCall } from '../prepare/PreparedCall';
import { CallSecrets } from '../vault/CallSecrets';

/** What executors are given to look at and to report with. */
export class CallContexts {
  private readonly services: ToolServiceRegistry;
  private readonly clock: Clock;
  private readonly secrets: CallSecrets | undefined;

  constructor(services: ToolServiceRegistry, clock: Clock, secrets: CallSecrets | undefined) {
    this.services = services;
    this.clock = clock;
    this.secrets = secrets;
  }

  /** What the call knows of itself. */
  scope(prepared: PreparedCall, run: CallRun, startedAtMs: number, way: JobWay | undefined): ToolCallScope {
    const timeoutMs: number = (prepared.tool as RegisteredTool).contract.timeoutMs;
    const init: ToolCallScopeInit = {
      callId: prepared.call.id, attempt: run.attempt, idempotencyKey: run.idempotencyKey,
      deadlineMs: timeoutMs > 0 ? startedAtMs + timeoutMs : 0,
      onProgress: (message: string, fraction: number): void => this.progress(prepared, run, way, message, fraction),
      onDetach: way === undefined ? undefined : (): boolean => way.detach()
    };
    return new ToolCallScope(init);
  }

  of(prepared: PreparedCall, run: CallRun, scope: ToolCallScope, signal: CancellationSignal): ToolContext {
    const services: ToolServiceRegistry = new ToolServiceRegistry(this.services);
    services.register(scope);
    this.registerChild(services, prepared, run);
    return new ToolContext(run.sessionId, run.state, run.batchId, signal, services);
  }

  private progress(prepared: PreparedCall, run: CallRun, way: JobWay | undefined, message: string, fraction: number): void {
    const masked: string = this.secrets?.text(message) ?? message;
    if (way?.job === undefined) {
      run.reporter.callProgress(prepared.call, masked, fraction);
    } else {
      way.job.progress(masked, fraction);
    }
  }

  private registerChild(services: ToolServiceRegistry, prepared: PreparedCall, run: CallRun): void {
    if (!prepared.delegates || run.child === undefined) {
      return;
    }
    const init: ChildLinkInit = {
      childSessionId: run.child.childSessionId, begun: run.child.begun, isPausing: run.child.isPausing,
      markBegun: (): Promise<boolean> => run.journal.childBegun(prepared.call.index, this.clock.nowMs())
    };
    services.register(new ChildLink(init));
  }
}
