import { ApprovalDecisionRequest, ApprovalDecisionResult, Remembered } from '../../approval/ApprovalDecisionResult';
import { ApprovalDeciders, ApprovalDecision } from '../../approval/ApprovalModes';
import { ReceiptEntry } from '../../approval/DecisionReceipt';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem, PendingApprovalItemInit } from '../../approval/PendingApprovalItem';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { OpenBatch } from '../../state/OpenBatch';
import { StateSlice } from '../../state/StateSlice';
import { PersistReason } from '../../state/PersistReason';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { ConsentBooks } from './ConsentBooks';
import { DecisionAudit } from '../report/DecisionAudit';
import { EditedCall, EditReview } from './EditReview';
import { EffectiveClock } from '../store/EffectiveClock';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from '../store/SessionStore';
import { PersistScope, PersistVerdict, StatePersister } from '../store/StatePersister';

/** What a recorder is made of. */
export interface DecisionRecorderParts {
  store: SessionStore;
  persister: StatePersister;
  clock: EffectiveClock;
  edits: EditReview;
  consents: ConsentBooks;
  state: ReadonlyAgentState;
  /** Tells the controller's listeners about decisions outside of any segment. */
  reporterFor: (runId: string) => RunReporter;
}

/** Owners of one session that may write between a decision and its save before it gives up. */
const MAX_TRIES: number = 10;

/**
 * Records what a person decides: one after another on the session's write queue, each on the disk before it is reported
 * (DEC-18). Repeating a decision changes nothing and gets the standing answer (DEC-49).
 */
export class DecisionRecorder {
  private readonly parts: DecisionRecorderParts;
  private readonly audit: DecisionAudit;

  constructor(parts: DecisionRecorderParts) {
    this.parts = parts;
    this.audit = new DecisionAudit(parts.reporterFor);
  }

  /** A decision that loses against another owner's write is looked at again with what that owner stored (DEC-02). */
  async decide(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> {
    const asked: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    let result: ApprovalDecisionResult = await this.attempt(request);
    for (let tries: number = 1; tries < MAX_TRIES && result.error?.code === ErrorCode.stateConflict; tries++) {
      result = await this.attempt(request);
    }
    this.audit.refused(asked, request, deciderOf(request), result);
    return result;
  }

  private async attempt(request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> {
    if (request.editedArgumentsJson === undefined || !request.approve) {
      return this.parts.store.exclusive((): Promise<ApprovalDecisionResult> => this.record(request, undefined));
    }
    const item: PendingApprovalItem | undefined = this.parts.store.draft.pendingApproval?.find(request.approvalId);
    if (item === undefined || !item.isPending()) {
      return this.parts.store.exclusive((): Promise<ApprovalDecisionResult> => this.record(request, undefined));
    }
    const batch: PendingApprovalBatch = this.parts.store.draft.pendingApproval as PendingApprovalBatch;
    const edited: Result<EditedCall, ArkAgentError> =
      await this.parts.edits.review(batch, item, request.editedArgumentsJson, this.parts.reporterFor(batch.runId));
    if (!edited.ok) {
      return ApprovalDecisionResult.failed(request.approvalId, edited.error);
    }
    return this.parts.store.exclusive((): Promise<ApprovalDecisionResult> => this.record(request, edited.value));
  }

  /** Denies every open question of a batch; the result carries the batch id. */
  async denyAll(batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> {
    const batch: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    if (batch === undefined || batch.batchId !== batchId) {
      return this.closedBatch(batchId, batchId, ApprovalDecision.denied);
    }
    let last: ApprovalDecisionResult = ApprovalDecisionResult.standing(batchId, ApprovalDecision.denied, true);
    for (const item of batch.items) {
      // Also what has an answer in memory: it may be on its way to the disk only, and come to nothing.
      if (item.isPending() || isPersons(item)) {
        const request: ApprovalDecisionRequest = { approvalId: item.approvalId, approve: false, denyReason: reason };
        last = await this.decide(request);
        if (!last.ok) {
          return last;
        }
      }
    }
    return ApprovalDecisionResult.standing(batchId, this.standsFor(batchId), last.allDecided);
  }

  /** What a no to all came to: where somebody else had said yes to everything before, that stands. */
  private standsFor(batchId: string): ApprovalDecision {
    const batch: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    const approved: boolean = batch !== undefined && batch.batchId === batchId && batch.allDecided() && !batch.anyDenied();
    return approved ? ApprovalDecision.approved : ApprovalDecision.denied;
  }

  /** Questions whose time has passed count as denied; called when a session is opened. Call it inside `exclusive`. */
  async sweepExpired(): Promise<void> {
    const batch: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    if (batch !== undefined) {
      await this.expire(batch);
    }
  }

  private async record(request: ApprovalDecisionRequest, edited: EditedCall | undefined): Promise<ApprovalDecisionResult> {
    const wanted: ApprovalDecision = request.approve ? ApprovalDecision.approved : ApprovalDecision.denied;
    const before: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    if (before === undefined || before.find(request.approvalId) === undefined) {
      return this.closedItem(request.approvalId, wanted);
    }
    const failed: ArkAgentError | undefined = await this.expire(before);
    if (failed !== undefined) {
      return ApprovalDecisionResult.failed(request.approvalId, failed);
    }
    // Where another owner wrote first, its state is loaded: the batch may be closed by now.
    const batch: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    const item: PendingApprovalItem | undefined = batch?.find(request.approvalId);
    if (batch === undefined || item === undefined) {
      return this.closedItem(request.approvalId, wanted);
    }
    if (item.decidedBy === ApprovalDeciders.EXPIRY) {
      return ApprovalDecisionResult.failed(request.approvalId,
        ArkAgentError.of(ErrorCode.approvalExpired, 'nobody answered in time; the call counts as refused'));
    }
    if (!item.isPending()) {
      return ApprovalDecisionResult.standing(request.approvalId, item.decision, batch.allDecided());
    }
    return this.store(request, batch, item, edited);
  }

  private async store(request: ApprovalDecisionRequest, batch: PendingApprovalBatch, item: PendingApprovalItem,
    edited: EditedCall | undefined): Promise<ApprovalDecisionResult> {
    const by: string = deciderOf(request);
    const now: number = this.parts.clock.nowMs();
    const base: PendingApprovalItem = edited === undefined ? item : editedItem(item, edited);
    const decided: PendingApprovalItem =
      request.approve ? base.approved(by, now) : base.denied(by, now, request.denyReason);
    const next: PendingApprovalBatch = batch.withItem(decided);
    const openBefore: OpenBatch | undefined = this.parts.store.draft.openBatch;
    const slicesBefore: ReadonlyMap<string, StateSlice> = this.parts.store.draft.slices;
    this.parts.store.draft.pendingApproval = next;
    const refusedBefore: boolean = this.isRefused(decided);
    const kept: Remembered = this.remember(request, decided, by);
    const slicesNow: ReadonlyMap<string, StateSlice> = this.parts.store.draft.slices;
    if (edited !== undefined && openBefore !== undefined) {
      this.parts.store.draft.openBatch = openBefore.withCall(edited.entry);
    }
    const verdict: PersistVerdict = await this.persist(batch.runId);
    if (verdict.stored) {
      if (kept.grantId !== undefined) {
        this.audit.remembered(next, decided);
      }
      this.audit.stored(next, [decided]);
      this.parts.reporterFor(batch.runId).approvalResolved(next, [decided], '');
      return request.remember === undefined ?
        ApprovalDecisionResult.standing(request.approvalId, decided.decision, next.allDecided()) :
        ApprovalDecisionResult.remembered(request.approvalId, decided.decision, next.allDecided(), kept);
    }
    if (this.parts.store.draft.slices === slicesNow) {
      this.parts.store.draft.slices = slicesBefore;
    } else {
      // A feature has put something of its own meanwhile: that stays, what would be remembered of the decision does not.
      this.forget(decided, kept, refusedBefore);
    }
    this.parts.store.draft.pendingApproval = batch;
    this.parts.store.draft.openBatch = openBefore;
    if (verdict.conflict) {
      // Somebody else wrote first: what stands now is theirs (DEC-02).
      await this.parts.store.reload();
      return this.standing(request);
    }
    return ApprovalDecisionResult.failed(request.approvalId, verdict.error as ArkAgentError);
  }

  /** What later calls will know of the decision, in the same commit: a grant, or a refusal that is not asked again (S10). */
  private remember(request: ApprovalDecisionRequest, decided: PendingApprovalItem, by: string): Remembered {
    const kept: Remembered = { grantId: undefined, refusal: '' };
    if (!request.approve) {
      if (decided.digest !== undefined) {
        this.parts.consents.refusals.add(decided.toolCall.name, decided.digest);
      }
      kept.refusal = request.remember === undefined ? '' : 'only a yes is remembered';
    } else if (request.remember !== undefined) {
      kept.refusal = this.parts.consents.grants.refusal(decided, request.remember);
      kept.grantId = kept.refusal === '' ? this.parts.consents.grants.add(decided, request.remember, by) : undefined;
    }
    return kept;
  }

  private forget(decided: PendingApprovalItem, kept: Remembered, refusedBefore: boolean): void {
    if (kept.grantId !== undefined) {
      this.parts.consents.grants.remove(kept.grantId);
    }
    if (!refusedBefore && decided.digest !== undefined) {
      this.parts.consents.refusals.remove(decided.toolCall.name, decided.digest);
    }
  }

  private isRefused(item: PendingApprovalItem): boolean {
    return this.parts.consents.refusals.has(item.toolCall.name, (): string | undefined => item.digest);
  }

  private standing(request: ApprovalDecisionRequest): ApprovalDecisionResult {
    const batch: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
    const item: PendingApprovalItem | undefined = batch?.find(request.approvalId);
    if (batch !== undefined && item !== undefined && !item.isPending()) {
      return ApprovalDecisionResult.standing(request.approvalId, item.decision, batch.allDecided());
    }
    if (batch !== undefined && item !== undefined) {
      return ApprovalDecisionResult.failed(request.approvalId, ArkAgentError.of(ErrorCode.stateConflict,
        'the session was written by another owner; decide again'));
    }
    return this.closedItem(request.approvalId, request.approve ? ApprovalDecision.approved : ApprovalDecision.denied);
  }

  /** Denies what is past its deadline, on the disk; the error when that cannot be stored. */
  private async expire(batch: PendingApprovalBatch, tries: number = 1): Promise<ArkAgentError | undefined> {
    const now: number = this.parts.clock.nowMs();
    const expired: PendingApprovalItem[] = [];
    let next: PendingApprovalBatch = batch;
    for (const item of batch.items) {
      if (item.isPending() && item.expiresAtMs !== undefined && item.expiresAtMs <= now) {
        const denied: PendingApprovalItem = item.denied(ApprovalDeciders.EXPIRY, now);
        expired.push(denied);
        next = next.withItem(denied);
      }
    }
    if (expired.length === 0) {
      return undefined;
    }
    this.parts.store.draft.pendingApproval = next;
    const verdict: PersistVerdict = await this.persist(batch.runId);
    if (verdict.stored) {
      this.audit.stored(next, expired);
      this.parts.reporterFor(batch.runId).approvalResolved(next, expired, '');
      return undefined;
    }
    if (verdict.conflict) {
      // What the other owner stored may hold the same question, as open and as late as before.
      await this.parts.store.reload();
      const loaded: PendingApprovalBatch | undefined = this.parts.store.draft.pendingApproval;
      return loaded === undefined ? undefined : tries < MAX_TRIES ? this.expire(loaded, tries + 1) : verdict.error;
    }
    this.parts.store.draft.pendingApproval = batch;
    return verdict.error;
  }

  private persist(runId: string): Promise<PersistVerdict> {
    const scope: PersistScope = { state: this.parts.state, reporter: this.parts.reporterFor(runId) };
    return this.parts.persister.persist(PersistReason.approvalDecision, scope);
  }

  /** The answer about a question of a batch that is closed, from its receipt. */
  private closedItem(approvalId: string, wanted: ApprovalDecision): ApprovalDecisionResult {
    for (const receipt of this.parts.store.draft.receipts) {
      const entry: ReceiptEntry | undefined = receipt.find(approvalId);
      if (entry === undefined) {
        continue;
      }
      if (receipt.closedBy !== '') {
        return ApprovalDecisionResult.failed(approvalId, closed(`the batch was closed by ${receipt.closedBy}`)
          .withDetail('closedBy', receipt.closedBy));
      }
      if (entry.decidedBy === ApprovalDeciders.EXPIRY) {
        return ApprovalDecisionResult.failed(approvalId,
          ArkAgentError.of(ErrorCode.approvalExpired, 'nobody answered in time; the call counts as refused'));
      }
      return entry.decision === wanted ? ApprovalDecisionResult.standing(approvalId, entry.decision, true) :
        ApprovalDecisionResult.failed(approvalId,
          closed(`the batch is closed; the call was ${entry.decision}`).withDetail('standing', entry.decision));
    }
    return ApprovalDecisionResult.failed(approvalId,
      ArkAgentError.of(ErrorCode.approvalNotFound, 'no question with this id is known'));
  }

  private closedBatch(id: string, batchId: string, wanted: ApprovalDecision): ApprovalDecisionResult {
    for (const receipt of this.parts.store.draft.receipts) {
      if (receipt.batchId === batchId && receipt.entries.length > 0) {
        const fits: ReceiptEntry | undefined = receipt.entries.find((entry: ReceiptEntry) => entry.decision === wanted);
        const answer: ApprovalDecisionResult = this.closedItem((fits ?? receipt.entries[0]).approvalId, wanted);
        return answer.ok ? ApprovalDecisionResult.standing(id, wanted, true) :
          ApprovalDecisionResult.failed(id, answer.error as ArkAgentError);
      }
    }
    return ApprovalDecisionResult.failed(id, ArkAgentError.of(ErrorCode.approvalNotFound, 'no batch with this id is known'));
  }
}

/** Nobody decides in the name of the policy or of the clock: those answers mean something else at the claim. */
function deciderOf(request: ApprovalDecisionRequest): string {
  const by: string = request.decidedBy ?? ApprovalDeciders.PERSON;
  return ApprovalDeciders.isAutomatic(by) || by === ApprovalDeciders.EXPIRY ? ApprovalDeciders.PERSON : by;
}

function isPersons(item: PendingApprovalItem): boolean {
  return !ApprovalDeciders.isAutomatic(item.decidedBy) && item.decidedBy !== ApprovalDeciders.EXPIRY;
}

function editedItem(item: PendingApprovalItem, edited: EditedCall): PendingApprovalItem {
  const init: PendingApprovalItemInit = item.toInit();
  init.proposedCall = edited.proposed;
  init.toolCall = edited.call;
  init.digest = edited.entry.digest;
  init.definitionHash = edited.entry.definitionHash;
  return new PendingApprovalItem(init);
}

function closed(message: string): ArkAgentError {
  return ArkAgentError.of(ErrorCode.approvalBatchClosed, message);
}
