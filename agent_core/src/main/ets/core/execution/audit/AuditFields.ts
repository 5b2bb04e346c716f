import { AuditRecord } from '../../port/AuditSink';
import { Digest } from '../../port/Digest';

/** The parts of a record that can be taken out of an export; what stays open is time, step, decision, code and position. */
export enum AuditField {
  session = 'session',
  run = 'run',
  batch = 'batch',
  call = 'call',
  tool = 'tool',
  decider = 'decider'
}

/** In the order in which they are written. */
export const AUDIT_FIELDS: ReadonlyArray<AuditField> =
  [AuditField.session, AuditField.run, AuditField.batch, AuditField.call, AuditField.tool, AuditField.decider];

/** The value of a field. */
export function auditFieldOf(entry: AuditRecord, field: AuditField): string {
  switch (field) {
    case AuditField.session:
      return entry.sessionId;
    case AuditField.run:
      return entry.runId;
    case AuditField.batch:
      return entry.batchId;
    case AuditField.call:
      return entry.callId;
    case AuditField.tool:
      return entry.tool;
    default:
      return entry.decider;
  }
}

/** Values whose commitments are kept; a batch uses about a dozen. */
const MAX_KEPT: number = 2000;

/**
 * What stands for a field in the hash of a record: the hash of the value and of a nonce that only the file's salt gives.
 *
 * Equal values of one field have equal commitments, so that the records of one call are still recognised as such where its
 * id is taken out; without the salt a value cannot be guessed and tried.
 */
export class FieldCommitments {
  private readonly digest: Digest;
  private readonly salt: string;
  private readonly known: Map<string, string> = new Map<string, string>();

  constructor(digest: Digest, salt: string) {
    this.digest = digest;
    this.salt = salt;
  }

  of(field: AuditField, value: string): string {
    const key: string = `${field}:${value}`;
    const kept: string | undefined = this.known.get(key);
    if (kept !== undefined) {
      return kept;
    }
    if (this.known.size >= MAX_KEPT) {
      this.known.clear();
    }
    const made: string = FieldCommitments.commitment(this.digest, this.nonce(field, value), field, value);
    this.known.set(key, made);
    return made;
  }

  /** What opens the commitment of one value and of no other. */
  nonce(field: AuditField, value: string): string {
    return this.digest.sha256Hex(`${this.salt}\nnonce\n${field}\n${value}`);
  }

  static commitment(digest: Digest, nonce: string, field: AuditField, value: string): string {
    return digest.sha256Hex(`${nonce}\n${field}\n${value}`);
  }
}
