/** What a record is about; the stored strings are stable. */
export enum AuditStep {
  /** A call is known: of the model, of the app (direct call), or a person's edit. */
  proposed = 'proposed',
  /** What a beforeToolCall hook did to it. */
  hook = 'hook',
  /** Is there such a tool, do the arguments parse and fit. */
  gate = 'gate',
  authorization = 'authorization',
  /** The approval policy. */
  policy = 'policy',
  /** A remembered yes was made or answered in the person's place. */
  grant = 'grant',
  /** Something else that the session remembers: an earlier no, an effect of unknown outcome. */
  memory = 'memory',
  /** The question is stored and announced. */
  frozen = 'frozen',
  /** A person, the clock or the policy answered; also an answer that was not taken. */
  decision = 'decision',
  /** A resume took the call over. */
  claim = 'claim',
  /** What became of a call whose process died while it ran. */
  recovery = 'recovery',
  /** The executor is entered. */
  started = 'started',
  /** A child session works on it and waits. */
  waiting = 'waiting',
  finished = 'finished',
  failed = 'failed',
  unknown = 'unknown',
  cancelled = 'cancelled',
  /** A journal entry that could not be written. */
  journal = 'journal',
  /** What redaction and size limit did to the result. */
  filtered = 'filtered',
  /** What an afterToolCall hook did. */
  hookAfter = 'hook_after',
  /** Nothing was started and nothing will be. */
  rejected = 'rejected',
  /** A result that came after the call had been given up. */
  late = 'late',
  /** The call has its answer: the last record about it. */
  closed = 'closed',
  /** Something about the record file itself. */
  chain = 'chain'
}

/** One step in the life of a tool call: what was decided, by whom, when. No argument values, no results, no paths. */
export interface AuditRecord {
  sessionId: string;
  /** Empty for a call outside of any run. */
  runId: string;
  batchId: string;
  /** Empty for steps that belong to no call. */
  callId: string;
  /** Place in the assistant message, from 0; -1 for steps that belong to no call. */
  position: number;
  /** After rewrites; a name that no tool can have is shown as `(invalid)`. */
  tool: string;
  /** A value of `AuditStep`. */
  step: string;
  /** Name of a hook or policy, who decided, model, app, tool or runtime. */
  decider: string;
  /** allow, deny, ask, ok, failed … */
  decision: string;
  /** Error code; empty when there is none. */
  code: string;
  timeMs: number;
}

/**
 * Receiver of audit records.
 *
 * Contract: synchronous hand-over, must not throw and must not block; a throw is isolated and counted, and changes nothing else.
 */
export interface AuditSink {
  record(entry: AuditRecord): void;
  /**
   * The session was committed, or a segment or the runtime ends: the time to hash and write what was recorded. Resolves when
   * that is done; runs do not wait for it, closing the runtime does for a bounded time. A rejection counts like a throw.
   * @param ending true for the end of a segment, a decision, a direct call and the closing: nothing more comes for a while
   */
  flush?(ending: boolean): Promise<void>;
}

/** Keeps no records. */
export class NoAuditSink implements AuditSink {
  record(entry: AuditRecord): void {
  }
}
