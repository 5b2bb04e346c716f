/** One step in the life of a tool call: what was decided, by whom, when. No argument values, no results. */
export interface AuditRecord {
  sessionId: string;
  runId: string;
  /** Empty for steps that belong to no call. */
  callId: string;
  tool: string;
  /** proposed, gate, authorization, policy, frozen, decision, started, finished, rejected, unknown, cancelled … */
  step: string;
  /** hook name, policy name, person, expiry, runtime. */
  decider: string;
  /** allow, deny, ok, failed, an error code … */
  decision: string;
  timeMs: number;
}

/** Receiver of audit records. Contract: synchronous hand-over, must not throw; a throw is counted and isolated. */
export interface AuditSink {
  record(entry: AuditRecord): void;
}

/** Keeps no records. */
export class NoAuditSink implements AuditSink {
  record(entry: AuditRecord): void {
  }
}
