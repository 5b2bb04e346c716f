import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { DecisionReceipt } from '../../approval/DecisionReceipt';
import { JsonCodec, JsonLimits } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonWriter } from '../../json/JsonWriter';
import { AgentMessage } from '../../message/AgentMessage';
import { MessageList } from '../../message/MessageList';
import { AgentState, AgentStateParts } from '../AgentState';
import { StateMigrations } from '../migration/StateMigrations';
import { OpenBatch } from '../OpenBatch';
import { StateSlice } from '../StateSlice';
import { ApprovalBatchCodec } from './ApprovalBatchCodec';
import { DocumentReader } from './DocumentReader';
import { MessageCodec } from './MessageCodec';
import { ObjectText } from './ObjectText';
import { OpenBatchCodec } from './OpenBatchCodec';
import { PlanReviewCodec } from './PlanReviewCodec';
import { ReceiptCodec } from './ReceiptCodec';
import { RunCodec } from './RunCodec';
import { SlicesCodec } from './SlicesCodec';
import { StateDocument } from './StateDocument';
import { StateFault } from './StateFault';
import { StateMembers } from './StateMembers';
import { UsageCodec } from './UsageCodec';

/**
 * States to the JSON document of schema version 2 and back.
 *
 * Reading is strict about what it knows: a wrong type or an unknown enum value is `state_corrupt` with details.path. Members
 * that it does not know are ignored, and gone with the next whole write. Older versions are migrated, newer ones refused.
 */
export class StateCodec {
  /** Stored JSON values may use the whole default depth; the document around them adds these levels. */
  private static readonly DEPTH_AROUND: number = 16;
  private static readonly MAX_CHARS: number = 512 * 1024 * 1024;
  private readonly writer: JsonWriter = new JsonWriter(JsonCodec.DEFAULT_MAX_DEPTH);
  private readonly json: JsonCodec;
  private readonly migrations: StateMigrations = new StateMigrations();

  constructor() {
    const limits: JsonLimits = {
      maxDepth: JsonCodec.DEFAULT_MAX_DEPTH + StateCodec.DEPTH_AROUND, maxChars: StateCodec.MAX_CHARS
    };
    this.json = new JsonCodec(limits);
  }

  /** Compact JSON text. Errors: json_too_deep, json_number_range. */
  encode(state: AgentState): Result<string, ArkAgentError> {
    try {
      return Result.success<string, ArkAgentError>(this.text(state));
    } catch (e) {
      return Result.failure<string, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateSaveFailed, e as Error, 'the state has no JSON form'));
    }
  }

  /** Errors: state_corrupt (details.path), state_version_unsupported. */
  decode(text: string): Result<AgentState, ArkAgentError> {
    const document: Result<StateDocument, ArkAgentError> = this.document(text);
    return document.ok ? this.decodeDocument(document.value) : document.recast<AgentState>();
  }

  /** The document in the newest version, not decoded yet. Errors: as decode. */
  document(text: string): Result<StateDocument, ArkAgentError> {
    const parsed: Result<JsonObject, ArkAgentError> = this.object(text);
    if (!parsed.ok) {
      return parsed.recast<StateDocument>();
    }
    const migrated: Result<JsonObject, ArkAgentError> = this.migrations.migrate(parsed.value);
    if (!migrated.ok) {
      return migrated.recast<StateDocument>();
    }
    try {
      return Result.success<StateDocument, ArkAgentError>(new StateDocument(migrated.value));
    } catch (e) {
      return StateCodec.unreadable<StateDocument>(e as Error);
    }
  }

  /** Any stored JSON object. Errors: state_corrupt. */
  object(text: string): Result<JsonObject, ArkAgentError> {
    const parsed: Result<JsonObject, ArkAgentError> = this.json.parseObject(text);
    return parsed.ok ? parsed : Result.failure<JsonObject, ArkAgentError>(StateFault.asCorrupt(parsed.error));
  }

  /** Errors: state_corrupt. */
  decodeDocument(document: StateDocument): Result<AgentState, ArkAgentError> {
    try {
      return Result.success<AgentState, ArkAgentError>(StateCodec.read(document));
    } catch (e) {
      return StateCodec.unreadable<AgentState>(e as Error);
    }
  }

  private static unreadable<T>(thrown: Error): Result<T, ArkAgentError> {
    return Result.failure<T, ArkAgentError>(
      ArkAgentError.wrap(ErrorCode.stateCorrupt, thrown, 'the stored state cannot be read'));
  }

  private static read(document: StateDocument): AgentState {
    const reader: DocumentReader = new DocumentReader(document.members, '');
    const history: AgentMessage[] = [];
    for (const item of document.history) {
      history.push(MessageCodec.decode(DocumentReader.of(item, `/history/${history.length}`)));
    }
    const parts: AgentStateParts = {
      sessionId: reader.string('sessionId'),
      incarnation: reader.string('incarnation'),
      revision: reader.count('revision'),
      commitId: reader.optionalString('commitId') ?? '',
      createdAtMs: reader.number('createdAtMs'),
      updatedAtMs: reader.number('updatedAtMs'),
      resumable: reader.boolean('resumable'),
      metadata: reader.sealed('metadata'),
      usage: UsageCodec.decode(reader.reader('usage')),
      history: new MessageList(history, history.length),
      loopWindow: reader.has('loopWindow') ? reader.strings('loopWindow') : [],
      receipts: reader.optionalList<DecisionReceipt>('receipts',
        (item: DocumentReader): DecisionReceipt => ReceiptCodec.decode(item)),
      slices: reader.has('slices') ? SlicesCodec.decode(reader.reader('slices')) : new Map<string, StateSlice>()
    };
    StateCodec.readPending(reader, parts, history);
    return new AgentState(parts);
  }

  private static readPending(reader: DocumentReader, parts: AgentStateParts, history: AgentMessage[]): void {
    if (reader.has('run')) {
      parts.run = RunCodec.decode(reader.reader('run'));
    }
    const openBatch: OpenBatch | undefined =
      reader.has('openBatch') ? OpenBatchCodec.decode(reader.reader('openBatch')) : undefined;
    parts.openBatch = openBatch;
    if (reader.has('pendingApproval')) {
      parts.pendingApproval = ApprovalBatchCodec.decode(reader.reader('pendingApproval'), history, openBatch);
    }
    if (reader.has('pendingPlanReview')) {
      parts.pendingPlanReview = PlanReviewCodec.decode(reader.reader('pendingPlanReview'));
    }
  }

  private text(state: AgentState): string {
    const text: ObjectText = new ObjectText(this.writer)
      .number('schemaVersion', AgentState.SCHEMA_VERSION)
      .string('sessionId', state.sessionId)
      .string('incarnation', state.incarnation)
      .number('revision', state.revision);
    if (state.commitId !== '') {
      text.string('commitId', state.commitId);
    }
    text.number('createdAtMs', state.createdAtMs)
      .number('updatedAtMs', state.updatedAtMs)
      .boolean('resumable', state.resumable)
      .object('metadata', state.metadata)
      .raw('usage', UsageCodec.encode(state.usage, this.writer));
    StateCodec.optional(text, 'run', StateMembers.run(state.run, this.writer));
    text.list<AgentMessage>('history', state.history.toArray(),
      (message: AgentMessage): string => MessageCodec.encode(message, this.writer));
    StateCodec.optional(text, 'openBatch', StateMembers.openBatch(state.openBatch, this.writer));
    StateCodec.optional(text, 'pendingApproval', StateMembers.pendingApproval(state.pendingApproval, this.writer));
    StateCodec.optional(text, 'pendingPlanReview', StateMembers.pendingPlanReview(state.pendingPlanReview, this.writer));
    text.raw('loopWindow', StateMembers.loopWindow(state.loopWindow));
    if (state.receipts.length > 0) {
      text.raw('receipts', StateMembers.receipts(state.receipts, this.writer));
    }
    return text.raw('slices', SlicesCodec.encode(state.slices, this.writer)).end();
  }

  private static optional(text: ObjectText, key: string, value: string | undefined): void {
    if (value !== undefined) {
      text.raw(key, value);
    }
  }
}
