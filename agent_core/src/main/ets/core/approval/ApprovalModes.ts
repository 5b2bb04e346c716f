/** Which calls of a frozen batch a person decides. */
export enum ApprovalScope {
  /** Only those that need consent; the others are recorded as allowed by policy (default). */
  flagged = 'flagged',
  /** Every call. */
  wholeBatch = 'whole_batch'
}

/** What a person's denial does to the rest of the batch. */
export enum BatchDenyMode {
  /** One denial: none of the batch runs (default). */
  atomic = 'atomic',
  /** Only the denied calls stay out. */
  independent = 'independent'
}

/** What happens with a call whose effect may or may not have happened. */
export enum UnknownOutcomePolicy {
  /** The model is told, the call is not repeated (default). */
  report = 'report',
  /** The person is asked whether to repeat it. */
  ask = 'ask'
}

/** State of one question. */
export enum ApprovalDecision {
  pending = 'pending',
  approved = 'approved',
  denied = 'denied'
}

/** What a question is about. */
export enum ApprovalKind {
  /** A call that has not run. */
  call = 'call',
  /** Repeating a call with unknown outcome. */
  retry = 'retry'
}

/** Who decided, where it was no named person. */
export class ApprovalDeciders {
  static readonly PERSON: string = 'person';
  static readonly POLICY: string = 'policy';
  static readonly EXPIRY: string = 'expiry';
  /** `grant:<id>`: an earlier yes that was remembered. */
  static readonly GRANT_PREFIX: string = 'grant:';

  static grant(grantId: string): string {
    return ApprovalDeciders.GRANT_PREFIX + grantId;
  }

  /** The policy or a grant let the call through: nobody was asked about it. */
  static isAutomatic(decidedBy: string | undefined): boolean {
    return decidedBy === ApprovalDeciders.POLICY ||
      (decidedBy !== undefined && decidedBy.startsWith(ApprovalDeciders.GRANT_PREFIX));
  }
}
