import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { AgentFeature, ChildQuestions } from '../../control/AgentFeature';
import { CallPipeline } from '../../execution/CallPipeline';
import { Usage } from '../../message/Usage';
import { CallResult } from '../../state/CallResult';
import { CallStatus, CloseReason, OpenCall } from '../../state/OpenCall';
import { ChildResult } from '../../tool/ChildResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { BatchMessages } from '../ledger/BatchMessages';

/** A call whose child has been closed, and what the child cost. */
export interface EndedChild {
  call: OpenCall;
  usage: Usage;
}

/** The child sessions of all features as one: whose questions are open, who decides, who closes. */
export class ChildSessions {
  private readonly features: ReadonlyArray<AgentFeature>;
  private readonly pipeline: CallPipeline;

  constructor(features: ReadonlyArray<AgentFeature>, pipeline: CallPipeline) {
    this.features = features;
    this.pipeline = pipeline;
  }

  async restore(): Promise<void> {
    for (const children of this.all()) {
      await children.restore();
    }
  }

  openBatches(): ReadonlyArray<PendingApprovalBatch> {
    const found: PendingApprovalBatch[] = [];
    for (const children of this.all()) {
      found.push(...children.openBatches());
    }
    return found;
  }

  /** Some child waits for a person. */
  get waiting(): boolean {
    return this.all().some((children: ChildQuestions) => children.anyWaiting());
  }

  /** @returns undefined when the id belongs to no child */
  decide(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> | undefined {
    for (const children of this.all()) {
      const answer: Promise<ApprovalDecisionResult> | undefined = children.decide(request);
      if (answer !== undefined) {
        return answer;
      }
    }
    return undefined;
  }

  /** @returns undefined when the batch belongs to no child */
  denyAll(batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> | undefined {
    for (const children of this.all()) {
      const answer: Promise<ApprovalDecisionResult> | undefined = children.denyAll(batchId, reason);
      if (answer !== undefined) {
        return answer;
      }
    }
    return undefined;
  }

  /** Closes the child of a call that waits. Where nobody can reach it, nobody knows what it did. */
  async end(call: OpenCall, reason: string): Promise<EndedChild> {
    const tool: RegisteredTool | undefined = this.pipeline.gates.find(call.effective.name);
    for (const children of this.all()) {
      const result: ChildResult | undefined = tool === undefined ? undefined : await children.end(call, reason);
      if (result !== undefined && tool !== undefined) {
        return { call: settled(call, this.pipeline.runner.ofChild(tool, result, 0)), usage: result.usage };
      }
    }
    return { call: BatchMessages.close(call, CloseReason.notExecuted), usage: Usage.zero() };
  }

  async close(): Promise<void> {
    for (const children of this.all()) {
      await children.close();
    }
  }

  private all(): ChildQuestions[] {
    const found: ChildQuestions[] = [];
    for (const feature of this.features) {
      const children: ChildQuestions | undefined = feature.children();
      if (children !== undefined) {
        found.push(children);
      }
    }
    return found;
  }
}

function settled(call: OpenCall, result: CallResult): OpenCall {
  return call.withResult(result.status === ToolCallStatus.unknown ? CallStatus.unknown : CallStatus.finished, result);
}
