import { DecisionReceipt } from '../approval/DecisionReceipt';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview } from '../approval/PlanReview';
import { JsonObject } from '../json/JsonObject';
import { MessageList } from '../message/MessageList';
import { Usage } from '../message/Usage';
import { ReadonlyAgentState } from '../tool/ToolContext';
import { OpenBatch } from './OpenBatch';
import { RunRecord } from './RunRecord';
import { StateSlice } from './StateSlice';

/** The parts of a state. */
export interface AgentStateParts {
  sessionId: string;
  incarnation: string;
  revision: number;
  commitId: string;
  createdAtMs: number;
  updatedAtMs: number;
  resumable: boolean;
  metadata: JsonObject;
  usage: Usage;
  run?: RunRecord;
  history: MessageList;
  openBatch?: OpenBatch;
  pendingApproval?: PendingApprovalBatch;
  pendingPlanReview?: PendingPlanReview;
  loopWindow: ReadonlyArray<string>;
  receipts: ReadonlyArray<DecisionReceipt>;
  slices: ReadonlyMap<string, StateSlice>;
}

/**
 * One consistent state of a session, schema version 2. Immutable: a change is a new state that shares what did not change,
 * so that taking a snapshot costs nothing (DEC-10).
 */
export class AgentState {
  static readonly SCHEMA_VERSION: number = 2;
  readonly sessionId: string;
  /** Random id of this life of the session; removing and creating it again makes another (DEC-07). Empty before the first commit. */
  readonly incarnation: string;
  /** Number of commits; the expected value of the next one. 0 before the first. */
  readonly revision: number;
  /** Id of the commit that wrote this state (DEC-06). */
  readonly commitId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** False after a terminal write failed: the session takes no more work. */
  readonly resumable: boolean;
  /** The app's own data about the session; sealed. */
  readonly metadata: JsonObject;
  readonly usage: Usage;
  readonly run: RunRecord | undefined;
  readonly history: MessageList;
  readonly openBatch: OpenBatch | undefined;
  readonly pendingApproval: PendingApprovalBatch | undefined;
  readonly pendingPlanReview: PendingPlanReview | undefined;
  /** Signatures of the newest calls, oldest first. */
  readonly loopWindow: ReadonlyArray<string>;
  readonly receipts: ReadonlyArray<DecisionReceipt>;
  readonly slices: ReadonlyMap<string, StateSlice>;

  constructor(parts: AgentStateParts) {
    this.sessionId = parts.sessionId;
    this.incarnation = parts.incarnation;
    this.revision = parts.revision;
    this.commitId = parts.commitId;
    this.createdAtMs = parts.createdAtMs;
    this.updatedAtMs = parts.updatedAtMs;
    this.resumable = parts.resumable;
    this.metadata = parts.metadata;
    this.usage = parts.usage;
    this.run = parts.run;
    this.history = parts.history;
    this.openBatch = parts.openBatch;
    this.pendingApproval = parts.pendingApproval;
    this.pendingPlanReview = parts.pendingPlanReview;
    this.loopWindow = parts.loopWindow;
    this.receipts = parts.receipts;
    this.slices = parts.slices;
  }

  /** A session that nothing was stored of. */
  static fresh(sessionId: string, metadata: JsonObject, nowMs: number): AgentState {
    const parts: AgentStateParts = {
      sessionId: sessionId, incarnation: '', revision: 0, commitId: '', createdAtMs: nowMs, updatedAtMs: nowMs,
      resumable: true, metadata: metadata.clone().seal(), usage: Usage.zero(), history: MessageList.of([]),
      loopWindow: [], receipts: [], slices: new Map<string, StateSlice>()
    };
    return new AgentState(parts);
  }

  /** The parts of this state, to make a changed copy from. */
  toParts(): AgentStateParts {
    const parts: AgentStateParts = {
      sessionId: this.sessionId, incarnation: this.incarnation, revision: this.revision, commitId: this.commitId,
      createdAtMs: this.createdAtMs, updatedAtMs: this.updatedAtMs, resumable: this.resumable,
      metadata: this.metadata, usage: this.usage, run: this.run, history: this.history, openBatch: this.openBatch,
      pendingApproval: this.pendingApproval, pendingPlanReview: this.pendingPlanReview, loopWindow: this.loopWindow,
      receipts: this.receipts, slices: this.slices
    };
    return parts;
  }

  /** What tools and hooks may see of the session. */
  snapshot(): ReadonlyAgentState {
    return new StateView(this.sessionId, this.metadata);
  }
}

class StateView implements ReadonlyAgentState {
  readonly schemaVersion: number = AgentState.SCHEMA_VERSION;
  readonly sessionId: string;
  private readonly sealedMetadata: JsonObject;

  constructor(sessionId: string, metadata: JsonObject) {
    this.sessionId = sessionId;
    this.sealedMetadata = metadata;
  }

  metadata(): JsonObject {
    return this.sealedMetadata.clone();
  }
}
