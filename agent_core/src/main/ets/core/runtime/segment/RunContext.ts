import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { CancellationController, CancellationSignal } from '../../base/Cancellation';
import { HookPatience } from '../../hook/HookPatience';
import { ToolDefinition } from '../../model/ToolDefinition';
import { Scheduler } from '../../port/Scheduler';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { BatchWork } from '../ledger/BatchWork';
import { RunReporter } from '../report/RunReporter';
import { PersistScope } from '../store/StatePersister';

/** What one segment of a run carries with it: ids, its observer, its signals. Nothing of it is stored. */
export class RunContext implements PersistScope {
  readonly sessionId: string;
  readonly runId: string;
  readonly segment: number;
  readonly reporter: RunReporter;
  /** One view for all hooks and tools of the segment. */
  readonly state: ReadonlyAgentState;
  readonly patience: HookPatience;
  /** What the model saw last. */
  tools: ReadonlyArray<ToolDefinition> = [];
  visible: ReadonlySet<string> = new Set<string>();
  visibleNames: ReadonlyArray<string> = [];
  /** The batch that the segment works on; what is open in it is closed or kept when the segment ends. */
  batch: BatchWork | undefined = undefined;
  /** The questions that the end of the segment closed. */
  closedApproval: PendingApprovalBatch | undefined = undefined;
  private readonly control: CancellationController;
  private detach: () => void = (): void => {
  };
  private suspendWanted: boolean = false;
  private cancelWanted: boolean = false;
  private cancelWords: string = '';
  private isOver: boolean = false;

  constructor(runId: string, segment: number, reporter: RunReporter, state: ReadonlyAgentState, scheduler: Scheduler,
    cancelGraceMs: number) {
    this.sessionId = state.sessionId;
    this.runId = runId;
    this.segment = segment;
    this.reporter = reporter;
    this.state = state;
    this.control = new CancellationController();
    this.patience = new HookPatience(this.control.signal, scheduler, cancelGraceMs);
  }

  /** From now on the caller's signal cancels the segment; after the segment is announced, so that nothing is told before. */
  follow(outside: CancellationSignal): void {
    this.detach = outside.onCancelled((reason: string): void => this.cancel(reason));
  }

  /** Fires for a cancel and for a suspension: whatever runs should stop. */
  get signal(): CancellationSignal {
    return this.control.signal;
  }

  /** The person wants the run to end. Wins over a suspension. */
  get cancelled(): boolean {
    return this.cancelWanted;
  }

  /** The person's words with the cancel. */
  get cancelReason(): string {
    return this.cancelWords;
  }

  /** The app wants the run to pause. */
  get suspending(): boolean {
    return this.suspendWanted && !this.cancelWanted;
  }

  /** Takes over what the model sees in this turn. */
  showTools(tools: ReadonlyArray<ToolDefinition>): void {
    if (this.tools === tools) {
      return;
    }
    const names: string[] = tools.map((tool: ToolDefinition) => tool.name);
    this.tools = tools;
    this.visibleNames = names;
    this.visible = new Set<string>(names);
  }

  cancel(reason: string): void {
    if (this.isOver) {
      // Too late for the ending, but not for a hook that is told of it and does not end.
      this.control.cancel(reason);
      return;
    }
    if (this.cancelWanted) {
      return;
    }
    this.cancelWanted = true;
    this.cancelWords = reason;
    this.reporter.cancelRequested(reason);
    this.control.cancel(reason);
  }

  suspend(reason: string): void {
    this.suspendWanted = true;
    this.control.cancel(reason);
  }

  /** The ending is stored; what is left is to tell of it. */
  get over(): boolean {
    return this.isOver;
  }

  /** The ending is settled: a cancel is too late for this segment, and nobody is told of one any more. */
  settle(): void {
    this.isOver = true;
  }

  /** Lets go of the caller's signal, which may outlive the run by far. */
  dispose(): void {
    this.detach();
  }
}
