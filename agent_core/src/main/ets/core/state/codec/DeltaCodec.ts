import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonWriter } from '../../json/JsonWriter';
import { AgentMessage } from '../../message/AgentMessage';
import { AgentState } from '../AgentState';
import { StateCommit } from '../StateCommit';
import { StateDelta } from '../StateDelta';
import { MessageCodec } from './MessageCodec';
import { ObjectText } from './ObjectText';
import { SlicesCodec } from './SlicesCodec';
import { StateMembers } from './StateMembers';
import { UsageCodec } from './UsageCodec';

/**
 * What one commit changed, as JSON text: the members of the state document that differ (null = taken away), the appended
 * messages, and the revision that it follows. `StateDocument.apply` is the other direction.
 */
export class DeltaCodec {
  private readonly writer: JsonWriter = new JsonWriter(JsonCodec.DEFAULT_MAX_DEPTH);

  /** Errors: json_too_deep, json_number_range. Not for a commit whose delta says historyReplaced. */
  encode(commit: StateCommit): Result<string, ArkAgentError> {
    try {
      return Result.success<string, ArkAgentError>(this.text(commit));
    } catch (e) {
      return Result.failure<string, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateSaveFailed, e as Error, 'the change of the state has no JSON form'));
    }
  }

  private text(commit: StateCommit): string {
    const next: AgentState = commit.next;
    const delta: StateDelta = commit.delta;
    const text: ObjectText = new ObjectText(this.writer)
      .number('after', commit.expectedRevision)
      .string('incarnation', next.incarnation)
      .number('revision', next.revision)
      .string('commitId', next.commitId)
      .number('updatedAtMs', next.updatedAtMs)
      .boolean('resumable', next.resumable)
      .number('historyFrom', delta.historyFrom)
      .list<AgentMessage>('history', delta.appended,
        (message: AgentMessage): string => MessageCodec.encode(message, this.writer));
    this.records(text, next, delta);
    this.lists(text, next, delta);
    return text.end();
  }

  private records(text: ObjectText, next: AgentState, delta: StateDelta): void {
    if (delta.metadataChanged) {
      text.object('metadata', next.metadata);
    }
    if (delta.usageChanged) {
      text.raw('usage', UsageCodec.encode(next.usage, this.writer));
    }
    if (delta.runChanged) {
      text.raw('run', StateMembers.run(next.run, this.writer) ?? 'null');
    }
    if (delta.openBatchChanged) {
      text.raw('openBatch', StateMembers.openBatch(next.openBatch, this.writer) ?? 'null');
    }
    if (delta.pendingApprovalChanged) {
      text.raw('pendingApproval', StateMembers.pendingApproval(next.pendingApproval, this.writer) ?? 'null');
    }
    if (delta.pendingPlanReviewChanged) {
      text.raw('pendingPlanReview', StateMembers.pendingPlanReview(next.pendingPlanReview, this.writer) ?? 'null');
    }
  }

  private lists(text: ObjectText, next: AgentState, delta: StateDelta): void {
    if (delta.loopWindowChanged) {
      text.raw('loopWindow', StateMembers.loopWindow(next.loopWindow));
    }
    if (delta.receiptsChanged) {
      text.raw('receipts', StateMembers.receipts(next.receipts, this.writer));
    }
    if (delta.slicesChanged) {
      text.raw('slices', SlicesCodec.encode(next.slices, this.writer));
    }
  }
}
