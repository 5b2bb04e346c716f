import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentMessage } from '../message/AgentMessage';
import { AgentRuntime } from '../runtime/AgentRuntime';
import { RunOutcome } from '../runtime/segment/RunOutcome';
import { ChildLink } from '../tool/ChildLink';
import { ToolCallScope } from '../tool/ToolCallScope';
import { ToolContext } from '../tool/ToolContext';
import { ToolServiceRegistry } from '../tool/ToolService';
import { ChildProgress } from './ChildProgress';

/** How a segment of a child's run ended, beside what is stored of it. */
export interface ShiftEnd {
  error: ArkAgentError | undefined;
  /** It was stopped because its time was over. */
  timedOut: boolean;
}

/** One segment of a child's run, stopped when the signal of its parent's call fires: paused with the parent, or cancelled. */
export class ChildShift {
  private readonly child: AgentRuntime;
  private readonly link: ChildLink;
  private readonly context: ToolContext;
  private readonly observer: ChildProgress;

  constructor(child: AgentRuntime, link: ChildLink, context: ToolContext) {
    this.child = child;
    this.link = link;
    this.context = context;
    const scope: Object | undefined = context.services.get(ToolServiceRegistry.CALL_SCOPE_ID);
    this.observer = new ChildProgress(scope instanceof ToolCallScope ? scope : undefined);
  }

  start(task: string): Promise<ShiftEnd> {
    return this.watch((): Promise<Result<RunOutcome, ArkAgentError>> =>
      this.child.runStream([AgentMessage.user(task)], this.observer));
  }

  async resume(): Promise<ShiftEnd> {
    if (this.context.signal.cancelled) {
      await this.stop(this.context.signal.reason);
      return this.ended(undefined);
    }
    return this.watch((): Promise<Result<RunOutcome, ArkAgentError>> => this.child.resume(this.observer));
  }

  private async watch(run: () => Promise<Result<RunOutcome, ArkAgentError>>): Promise<ShiftEnd> {
    // The run is active when this returns: from here on a stop meets it.
    const running: Promise<Result<RunOutcome, ArkAgentError>> = run();
    let stopping: Promise<void> = Promise.resolve();
    const detach: () => void = this.context.signal.onCancelled((reason: string): void => {
      stopping = this.stop(reason);
    });
    const result: Result<RunOutcome, ArkAgentError> = await running;
    detach();
    await stopping;
    return this.ended(result.ok ? undefined : result.error);
  }

  private async stop(reason: string): Promise<void> {
    if (this.link.isPausing()) {
      await this.child.suspend(reason);
    } else {
      await this.child.cancel(reason);
    }
  }

  private ended(error: ArkAgentError | undefined): ShiftEnd {
    return { error: error, timedOut: this.context.signal.cancelled && this.context.signal.reason === ErrorCode.toolTimeout };
  }
}
