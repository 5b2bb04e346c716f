import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { ChildQuestions } from '../control/AgentFeature';
import { FeatureLink } from '../runtime/session/FeatureLink';
import { ResolvedConfig } from '../runtime/config/ResolvedConfig';
import { AgentState } from '../state/AgentState';
import { ChildSessionId } from '../state/ChildSessionId';
import { CallStatus, OpenCall } from '../state/OpenCall';
import { RunStatus } from '../state/RunRecord';
import { ChildLink } from '../tool/ChildLink';
import { ChildResult } from '../tool/ChildResult';
import { ToolContext } from '../tool/ToolContext';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { ChildCount } from './ChildCount';
import { ChildDoor, OpenChild } from './ChildDoor';
import { ChildOutcome } from './ChildOutcome';
import { ChildQuestionNames } from './ChildQuestionNames';
import { ChildShift, ShiftEnd } from './ChildShift';
import { EffectBook } from './EffectBook';
import { ParentLink } from './ParentLink';
import { SharedConsents } from './SharedConsents';

/** How the tasks of a session are kept. */
export interface ChildTasksParts {
  door: ChildDoor;
  toolName: string;
  maxChildrenPerRun: number;
  /** The session is a child itself: what its children did counts as done by it. */
  nested: boolean;
}

/**
 * The child sessions of one session. A child is opened for the call that waits for it and let go when it has ended and its
 * end was taken; while it waits for a person it stays open, so that its questions can be listed.
 */
export class ChildTasks implements ChildQuestions {
  private readonly parts: ChildTasksParts;
  private readonly open: Map<string, OpenChild> = new Map<string, OpenChild>();
  private link: FeatureLink | undefined = undefined;
  private root: ResolvedConfig | undefined = undefined;

  constructor(parts: ChildTasksParts) {
    this.parts = parts;
  }

  /** @param root the configuration that children inherit */
  install(link: FeatureLink, root: ResolvedConfig): void {
    this.link = link;
    this.root = root;
  }

  /** The work of a call: starts its child, or follows the link to the one that was started. */
  async work(task: string, context: ToolContext): Promise<ChildResult> {
    const link: FeatureLink | undefined = this.link;
    const call: ChildLink | undefined = linkOf(context);
    if (link === undefined || call === undefined || link.sessionId !== context.sessionId) {
      return refused(ErrorCode.toolExecutionFailed, 'this tool belongs to another session');
    }
    const parent: ParentLink | undefined = this.parentOf(link, call.childSessionId);
    if (parent === undefined) {
      return ChildOutcome.lost(undefined, 'the link to the sub-agent does not fit the call');
    }
    const opened: Result<OpenChild, ArkAgentError> = await this.opened(link, parent, call);
    if (!opened.ok) {
      return this.unopened(call, opened.error);
    }
    const child: OpenChild = opened.value;
    if (!child.runtime.restored && child.runtime.snapshot().revision === 0) {
      return this.begin(link, parent, child, call, task, context);
    }
    return this.follow(parent, child, call, context);
  }

  async restore(): Promise<void> {
    for (const call of this.link?.openCalls() ?? []) {
      if (call.status === CallStatus.waiting && call.childSessionId !== undefined && this.link !== undefined) {
        const parent: ParentLink | undefined = this.parentOf(this.link, call.childSessionId);
        const opened: Result<OpenChild, ArkAgentError> | undefined =
          parent === undefined ? undefined : await this.opened(this.link, parent, undefined);
        if (opened !== undefined && opened.ok && !opened.value.runtime.restored) {
          await this.letGo(call.childSessionId, opened.value);
        }
      }
    }
  }

  openBatches(): ReadonlyArray<PendingApprovalBatch> {
    const found: PendingApprovalBatch[] = [];
    for (const child of this.open.values()) {
      for (const batch of child.runtime.getPendingApprovalBatches()) {
        found.push(child.names.batch(batch));
      }
    }
    return found;
  }

  anyWaiting(): boolean {
    return this.openBatches().some((batch: PendingApprovalBatch) => !batch.allDecided());
  }

  decide(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> | undefined {
    const childSessionId: string | undefined = this.childIn(request.approvalId);
    return childSessionId === undefined ? undefined : this.ask(childSessionId, request.approvalId,
      (child: OpenChild): Promise<ApprovalDecisionResult> => child.runtime.applyApprovalDecision(child.names.request(request)));
  }

  denyAll(batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> | undefined {
    const childSessionId: string | undefined = this.childIn(batchId);
    return childSessionId === undefined ? undefined : this.ask(childSessionId, batchId,
      (child: OpenChild): Promise<ApprovalDecisionResult> => child.runtime.denyAll(child.names.inner(batchId), reason));
  }

  async end(call: OpenCall, reason: string): Promise<ChildResult | undefined> {
    if (this.link === undefined || call.childSessionId === undefined || call.effective.name !== this.parts.toolName) {
      return undefined;
    }
    const parent: ParentLink | undefined = this.parentOf(this.link, call.childSessionId);
    if (parent === undefined) {
      return ChildOutcome.lost(undefined, 'the link to the sub-agent does not fit the call');
    }
    const opened: Result<OpenChild, ArkAgentError> = await this.opened(this.link, parent, undefined);
    if (!opened.ok) {
      return ChildOutcome.lost(undefined, `the sub-agent cannot be reached (${opened.error.code})`);
    }
    const child: OpenChild = opened.value;
    if (!child.runtime.restored && child.runtime.snapshot().revision === 0) {
      await this.letGo(call.childSessionId, child);
      return call.childBegun ? ChildOutcome.lost(undefined, 'the session of the sub-agent was removed') :
        ChildResult.ended(ToolCallStatus.cancelled, ErrorCode.toolCancelled, 'the sub-agent had not begun');
    }
    await child.runtime.cancel(reason);
    const ended: ChildResult = await this.concluded(parent, child, { error: undefined, timedOut: false });
    return ended.waiting ? ChildOutcome.lost(child.runtime.snapshot(), 'the sub-agent could not be stopped') : ended;
  }

  async close(): Promise<void> {
    for (const child of Array.from(this.open.values())) {
      await child.runtime.close();
    }
    this.open.clear();
  }

  private async begin(link: FeatureLink, parent: ParentLink, child: OpenChild, call: ChildLink, task: string,
    context: ToolContext): Promise<ChildResult> {
    const runId: string = link.stamp().runId;
    let refusal: ChildResult | undefined = undefined;
    if (call.begun) {
      refusal = ChildOutcome.lost(undefined, 'the session of the sub-agent was removed');
    } else if (context.signal.cancelled) {
      refusal = call.isPausing() ? ChildResult.stillWaiting() :
        ChildResult.ended(ToolCallStatus.cancelled, ErrorCode.toolCancelled, 'the sub-agent had not begun');
    } else if (task.trim() === '') {
      refusal = refused(ErrorCode.inputEmpty, 'the task is empty');
    } else if (ChildCount.of(link, runId) >= this.parts.maxChildrenPerRun) {
      refusal = refused(ErrorCode.subAgentLimit,
        `this run has delegated ${this.parts.maxChildrenPerRun} tasks, more are not allowed`);
    }
    if (refusal !== undefined) {
      await this.letGo(call.childSessionId, child);
      return refusal;
    }
    ChildCount.add(link, runId);
    return this.concluded(parent, child, await new ChildShift(child.runtime, call, context).start(task));
  }

  private async follow(parent: ParentLink, child: OpenChild, call: ChildLink, context: ToolContext): Promise<ChildResult> {
    if (!(await call.markBegun())) {
      return ChildOutcome.lost(child.runtime.snapshot(), 'the link to the sub-agent could not be stored');
    }
    const state: AgentState = child.runtime.snapshot();
    if (state.run?.status === RunStatus.finished) {
      return this.concluded(parent, child, { error: undefined, timedOut: false });
    }
    return this.concluded(parent, child, await new ChildShift(child.runtime, call, context).resume());
  }

  /** Still waiting, or the end of the child, which is let go then. */
  private async concluded(parent: ParentLink, child: OpenChild, end: ShiftEnd): Promise<ChildResult> {
    const state: AgentState = child.runtime.snapshot();
    if (state.run?.status === RunStatus.suspended && state.resumable) {
      return ChildResult.stillWaiting();
    }
    await this.letGo(state.sessionId, child);
    if (this.link !== undefined) {
      SharedConsents.handUp(state, this.link);
    }
    if (this.parts.nested && this.link !== undefined) {
      EffectBook.adopt(this.link, state.sessionId, EffectBook.read(state.slices));
    }
    return state.run?.status === RunStatus.finished && state.resumable ? ChildOutcome.of(state, end.error, end.timedOut) :
      ChildOutcome.lost(state, `the end of the sub-agent is not stored (${end.error?.code ?? 'no end'})`);
  }

  /** A disk that cannot be read now may be read later; what it has of the child is not given up for that. */
  private unopened(call: ChildLink, error: ArkAgentError): ChildResult {
    if (error.code === ErrorCode.stateLoadFailed) {
      return ChildResult.stillWaiting();
    }
    return call.begun ? ChildOutcome.lost(undefined, `the sub-agent cannot be reached (${error.code})`) :
      refused(error.code, error.message);
  }

  private async opened(link: FeatureLink, parent: ParentLink,
    call: ChildLink | undefined): Promise<Result<OpenChild, ArkAgentError>> {
    const root: ResolvedConfig = this.root ?? link.config;
    const childSessionId: string = parent.childSessionId(root.ports.digest);
    const known: OpenChild | undefined = this.open.get(childSessionId);
    if (known !== undefined) {
      return Result.success<OpenChild, ArkAgentError>(known);
    }
    const made: Result<OpenChild, ArkAgentError> = await this.parts.door.open(link, root, parent,
      async (): Promise<void> => {
        if (call !== undefined && !(await call.markBegun())) {
          this.open.get(childSessionId)?.runtime.cancel('the link to the sub-agent could not be stored');
        }
      });
    if (made.ok) {
      this.open.set(childSessionId, made.value);
    }
    return made;
  }

  private async letGo(childSessionId: string, child: OpenChild): Promise<void> {
    this.open.delete(childSessionId);
    await child.runtime.close();
  }

  /** The call of the open batch that a child works on; undefined when its link is not the one that the call must have. */
  private parentOf(link: FeatureLink, childSessionId: string): ParentLink | undefined {
    const call: OpenCall | undefined = link.openCalls().find((one: OpenCall) => one.childSessionId === childSessionId);
    if (call === undefined) {
      return undefined;
    }
    const parent: ParentLink = new ParentLink(link.sessionId, link.openBatchId, call.position);
    return parent.childSessionId((this.root ?? link.config).ports.digest) === childSessionId ? parent : undefined;
  }

  private childIn(id: string): string | undefined {
    for (const childSessionId of this.open.keys()) {
      if (ChildQuestionNames.isOf(id, childSessionId)) {
        return childSessionId;
      }
    }
    return this.link === undefined ? undefined :
      ChildQuestionNames.childIn(id, this.link.sessionId, ChildSessionId.SHORT_PREFIX);
  }

  private async ask(childSessionId: string, id: string,
    decide: (child: OpenChild) => Promise<ApprovalDecisionResult>): Promise<ApprovalDecisionResult> {
    const known: OpenChild | undefined = this.open.get(childSessionId);
    const child: OpenChild | undefined = known ?? await this.reopened(childSessionId);
    if (child === undefined) {
      return ApprovalDecisionResult.failed(id,
        ArkAgentError.of(ErrorCode.approvalNotFound, 'no question with this id is known'));
    }
    const answer: ApprovalDecisionResult = await decide(child);
    if (known === undefined) {
      await child.runtime.close();
    }
    return answer.named(id);
  }

  /** A child that has ended: it still knows what was decided (DEC-49). */
  private async reopened(childSessionId: string): Promise<OpenChild | undefined> {
    const link: FeatureLink | undefined = this.link;
    if (link === undefined) {
      return undefined;
    }
    const root: ResolvedConfig = this.root ?? link.config;
    const stored: Result<AgentState | undefined, ArkAgentError> = await ChildDoor.load(root.storage, childSessionId);
    const parent: ParentLink | undefined =
      stored.ok && stored.value !== undefined ? ParentLink.read(stored.value.slices) : undefined;
    if (parent === undefined || parent.sessionId !== link.sessionId || parent.childSessionId(root.ports.digest) !== childSessionId) {
      return undefined;
    }
    const made: Result<OpenChild, ArkAgentError> = await this.parts.door.open(link, root, parent, async (): Promise<void> => {
    });
    return made.ok ? made.value : undefined;
  }
}

function linkOf(context: ToolContext): ChildLink | undefined {
  const service: Object | undefined = context.services.get(ChildLink.SERVICE_ID);
  return service instanceof ChildLink ? service : undefined;
}

function refused(code: string, message: string): ChildResult {
  return ChildResult.ended(ToolCallStatus.rejected, code, message);
}
