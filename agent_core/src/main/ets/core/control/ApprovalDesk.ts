import { ApprovalGrant } from '../approval/ApprovalGrant';
import { ApprovalDecisionRequest, ApprovalDecisionResult } from '../approval/ApprovalDecisionResult';
import { PendingApprovalBatch } from '../approval/PendingApprovalBatch';
import { PendingPlanReview, PlanReviewDecision, PlanReviewDecisionResult } from '../approval/PlanReview';
import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { ApprovalCopies } from './ApprovalCopies';
import { ApprovalHost } from './ApprovalHost';

/**
 * The way from a controller to its host, as functions: the host itself lives only in what they close over, so that
 * nobody who walks the controller's members comes to the runtime (CTL-01).
 */
export interface ApprovalDesk {
  readonly bind: (host: ApprovalHost) => Result<() => void, ArkAgentError>;
  readonly batches: () => ReadonlyArray<PendingApprovalBatch>;
  readonly decide: (request: ApprovalDecisionRequest) => Promise<ApprovalDecisionResult>;
  readonly denyAll: (batchId: string, reason: string | undefined) => Promise<ApprovalDecisionResult>;
  readonly grants: () => ReadonlyArray<ApprovalGrant>;
  readonly revoke: (grantId: string) => Promise<Result<boolean, ArkAgentError>>;
  readonly planReview: () => PendingPlanReview | undefined;
  readonly decidePlan: (decision: PlanReviewDecision, reviewId: string | undefined) => Promise<PlanReviewDecisionResult>;
}

/** Holds the host of one desk. */
class HostSeat {
  host: ApprovalHost | undefined = undefined;
}

/** A desk without a host. */
export function openApprovalDesk(): ApprovalDesk {
  const seat: HostSeat = new HostSeat();
  const desk: ApprovalDesk = {
    bind: (host: ApprovalHost): Result<() => void, ArkAgentError> => bindHost(seat, host),
    batches: (): ReadonlyArray<PendingApprovalBatch> => copyBatches(seat.host),
    decide: (request: ApprovalDecisionRequest): Promise<ApprovalDecisionResult> =>
      answered(seat.host, request.approvalId, (host: ApprovalHost): Promise<ApprovalDecisionResult> =>
        host.applyApprovalDecision(request)),
    denyAll: (batchId: string, reason: string | undefined): Promise<ApprovalDecisionResult> =>
      answered(seat.host, batchId, (host: ApprovalHost): Promise<ApprovalDecisionResult> => host.denyAll(batchId, reason)),
    grants: (): ReadonlyArray<ApprovalGrant> => copyGrants(seat.host),
    revoke: (grantId: string): Promise<Result<boolean, ArkAgentError>> => revokeGrant(seat.host, grantId),
    planReview: (): PendingPlanReview | undefined => copyPlanReview(seat.host),
    decidePlan: (decision: PlanReviewDecision, reviewId: string | undefined): Promise<PlanReviewDecisionResult> =>
      decidePlan(seat.host, decision, reviewId)
  };
  return desk;
}

function bindHost(seat: HostSeat, host: ApprovalHost): Result<() => void, ArkAgentError> {
  if (seat.host !== undefined) {
    return Result.failure<() => void, ArkAgentError>(ArkAgentError.of(ErrorCode.approvalHostAlreadyBound,
      'this controller has a host already; one runtime per controller'));
  }
  seat.host = host;
  let bound: boolean = true;
  return Result.success<() => void, ArkAgentError>((): void => {
    if (bound) {
      bound = false;
      seat.host = undefined;
    }
  });
}

/** A host that throws while it lists counts as one that has nothing to list: a list has no place for an error. */
function copyBatches(host: ApprovalHost | undefined): ReadonlyArray<PendingApprovalBatch> {
  if (host === undefined) {
    return [];
  }
  try {
    return host.getPendingApprovalBatches().map<PendingApprovalBatch>(
      (batch: PendingApprovalBatch): PendingApprovalBatch => ApprovalCopies.batch(batch));
  } catch (e) {
    return [];
  }
}

/** Grants are immutable plain values; only the list is copied. */
function copyGrants(host: ApprovalHost | undefined): ReadonlyArray<ApprovalGrant> {
  try {
    return host === undefined ? [] : host.listGrants().slice();
  } catch (e) {
    // As for the batches: a list has no place for an error.
    return [];
  }
}

async function revokeGrant(host: ApprovalHost | undefined, grantId: string): Promise<Result<boolean, ArkAgentError>> {
  if (host === undefined) {
    return Result.failure<boolean, ArkAgentError>(hostMissing());
  }
  try {
    return await host.revokeGrant(grantId);
  } catch (e) {
    return Result.failure<boolean, ArkAgentError>(hostFailed(e as Error));
  }
}

function copyPlanReview(host: ApprovalHost | undefined): PendingPlanReview | undefined {
  if (host === undefined) {
    return undefined;
  }
  try {
    const review: PendingPlanReview | undefined = host.getPendingPlanReview();
    return review === undefined ? undefined : ApprovalCopies.planReview(review);
  } catch (e) {
    return undefined;
  }
}

async function answered(host: ApprovalHost | undefined, id: string,
  ask: (host: ApprovalHost) => Promise<ApprovalDecisionResult>): Promise<ApprovalDecisionResult> {
  if (host === undefined) {
    return ApprovalDecisionResult.failed(id, hostMissing());
  }
  try {
    return await ask(host);
  } catch (e) {
    return ApprovalDecisionResult.failed(id, hostFailed(e as Error));
  }
}

async function decidePlan(host: ApprovalHost | undefined, decision: PlanReviewDecision,
  reviewId: string | undefined): Promise<PlanReviewDecisionResult> {
  if (host === undefined) {
    return new PlanReviewDecisionResult(false, reviewId ?? '', hostMissing());
  }
  try {
    return await host.applyPlanReviewDecision(decision, reviewId);
  } catch (e) {
    return new PlanReviewDecisionResult(false, reviewId ?? '', hostFailed(e as Error));
  }
}

function hostMissing(): ArkAgentError {
  return ArkAgentError.of(ErrorCode.approvalHostMissing, 'no runtime is bound to this controller');
}

function hostFailed(thrown: Error): ArkAgentError {
  return ArkAgentError.wrap(ErrorCode.internalError, thrown, 'the approval host failed');
}
