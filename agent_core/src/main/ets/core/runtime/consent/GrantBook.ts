import { ApprovalGrant, ApprovalGrantInit, GrantRules, GrantScope, RememberRequest } from '../../approval/ApprovalGrant';
import { ApprovalKind } from '../../approval/ApprovalModes';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { JsonObject } from '../../json/JsonObject';
import { ToolRiskLevel } from '../../model/ToolDefinition';
import { IdGenerator } from '../../port/IdGenerator';
import { SliceAccess } from '../../state/SliceAccess';
import { EffectiveClock } from '../store/EffectiveClock';
import { SliceList } from '../store/SliceList';

/** A call that looks for a grant. */
export interface GrantQuestion {
  toolName: string;
  riskLevel: ToolRiskLevel;
  definitionHash: string;
  /** Of the arguments; made only when a grant of the tool asks for it. */
  digest: () => string | undefined;
}

/** The session's remembered grants, in the slice `grants`. Changes the draft, writes nothing (DEC-46). */
export class GrantBook {
  static readonly SLICE: string = 'grants';
  private readonly clock: EffectiveClock;
  private readonly ids: IdGenerator;
  private readonly allowDangerous: boolean;
  private readonly maxGrants: number;
  private readonly grants: SliceList<ApprovalGrant>;

  constructor(slices: SliceAccess, clock: EffectiveClock, ids: IdGenerator, rules: GrantRules) {
    this.clock = clock;
    this.ids = ids;
    this.allowDangerous = rules.allowDangerous ?? false;
    this.maxGrants = rules.maxGrants ?? ApprovalGrant.DEFAULT_MAX;
    this.grants = new SliceList<ApprovalGrant>(slices, GrantBook.SLICE, 'grants',
      (json: JsonObject): ApprovalGrant | undefined => ApprovalGrant.fromJson(json),
      (grant: ApprovalGrant): JsonObject => grant.toJson());
  }

  get isEmpty(): boolean {
    return this.grants.get().length === 0;
  }

  /** Those that still count, oldest first. */
  list(): ReadonlyArray<ApprovalGrant> {
    const now: number = this.clock.nowMs();
    return this.grants.get().filter((grant: ApprovalGrant) => grant.isLive(now));
  }

  find(grantId: string): ApprovalGrant | undefined {
    return this.list().find((grant: ApprovalGrant) => grant.grantId === grantId);
  }

  /** It was not revoked; whether it is used up by the call that asks does not matter. */
  isKept(grantId: string): boolean {
    return this.grants.get().some((grant: ApprovalGrant) => grant.grantId === grantId);
  }

  /** @param taken uses that other calls of the batch count on already */
  match(question: GrantQuestion, taken: ReadonlyMap<string, number>): ApprovalGrant | undefined {
    if (this.grants.get().length === 0 || (question.riskLevel === ToolRiskLevel.dangerous && !this.allowDangerous)) {
      return undefined;
    }
    const fits: ApprovalGrant[] = this.list().filter((grant: ApprovalGrant) => grant.toolName === question.toolName &&
      grant.definitionHash === question.definitionHash &&
      (grant.scope === GrantScope.tool || grant.digest === question.digest()) &&
      (grant.remainingUses === undefined || grant.remainingUses > (taken.get(grant.grantId) ?? 0)));
    return fits.find((grant: ApprovalGrant) => grant.remainingUses === undefined) ?? fits[0];
  }

  /** Why a yes to this question cannot be remembered; empty when it can. */
  refusal(item: PendingApprovalItem, wish: RememberRequest): string {
    if (wish.scope !== GrantScope.tool && wish.scope !== GrantScope.arguments) {
      return 'scope must be tool or arguments';
    }
    if (!isCount(wish.uses) || !isCount(wish.expiresInMs)) {
      return 'uses and expiresInMs must be whole numbers above 0';
    }
    if (item.kind === ApprovalKind.retry) {
      return 'a yes to a repetition holds once';
    }
    if (item.riskLevel === ToolRiskLevel.dangerous && !this.allowDangerous) {
      return 'a yes to a dangerous tool is not remembered';
    }
    if (item.definitionHash === undefined || item.digest === undefined) {
      return 'the call cannot be recognised again';
    }
    return this.list().length >= this.maxGrants ? `the session keeps at most ${this.maxGrants} grants; revoke one first` : '';
  }

  /** Remembers a yes; what is used up or over goes at the same time. Only after `refusal` was empty. @returns the id */
  add(item: PendingApprovalItem, wish: RememberRequest, grantedBy: string): string {
    const now: number = this.clock.nowMs();
    const init: ApprovalGrantInit = {
      grantId: this.ids.nextId(), toolName: item.toolCall.name, scope: wish.scope,
      definitionHash: item.definitionHash ?? '', digest: wish.scope === GrantScope.arguments ? item.digest : undefined,
      createdAtMs: now, expiresAtMs: wish.expiresInMs === undefined ? undefined : now + wish.expiresInMs,
      remainingUses: wish.uses, grantedBy: grantedBy
    };
    this.grants.set(this.list().concat([new ApprovalGrant(init)]));
    return init.grantId;
  }

  /** Counts a use. False when the grant is gone: the call needs consent again. */
  use(grantId: string): boolean {
    if (this.find(grantId) === undefined) {
      return false;
    }
    this.count(grantId, -1);
    return true;
  }

  /** Takes a use back: the call did not start. */
  giveBack(grantId: string): void {
    this.count(grantId, 1);
  }

  /** False when there is no such grant. */
  remove(grantId: string): boolean {
    const left: ReadonlyArray<ApprovalGrant> =
      this.grants.get().filter((grant: ApprovalGrant) => grant.grantId !== grantId);
    if (left.length === this.grants.get().length) {
      return false;
    }
    this.grants.set(left);
    return true;
  }

  private count(grantId: string, by: number): void {
    const known: ApprovalGrant | undefined =
      this.grants.get().find((grant: ApprovalGrant) => grant.grantId === grantId);
    if (known?.remainingUses !== undefined) {
      this.grants.set(this.grants.get().map<ApprovalGrant>((grant: ApprovalGrant) =>
        grant.grantId === grantId ? grant.counted(by) : grant));
    }
  }
}

function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value > 0);
}
