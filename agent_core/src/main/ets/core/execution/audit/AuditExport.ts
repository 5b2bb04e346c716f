import { Digest } from '../../port/Digest';
import { AuditOpeningLine } from './AuditChain';
import { AUDIT_FIELDS, AuditField, FieldCommitments } from './AuditFields';
import { AuditFieldText, AuditLine, AuditLineInit } from './AuditLine';

/** Whether a field of a record stays readable in an export. */
export type AuditKeep = (line: AuditLine, field: AuditField) => boolean;

/**
 * A copy of a file that can be given away: details are replaced by their commitments, the salt is left out, every hash stays
 * the same. Whoever gets it can check the chain, and with a head also that it is the same chain.
 */
export class AuditExport {
  private readonly digest: Digest;
  private readonly keep: AuditKeep;
  private commitments: FieldCommitments | undefined = undefined;

  constructor(digest: Digest, keep: AuditKeep) {
    this.digest = digest;
    this.keep = keep;
  }

  /** Keeps everything but these fields. */
  static without(digest: Digest, fields: ReadonlyArray<AuditField>): AuditExport {
    return new AuditExport(digest, (line: AuditLine, field: AuditField): boolean => !fields.includes(field));
  }

  /** The first line, without its end. @returns undefined when it is none, or of an export already */
  begin(text: string): string | undefined {
    const opening: AuditOpeningLine | undefined = AuditOpeningLine.parse(this.digest, text);
    if (opening === undefined || opening.salt === undefined) {
      return undefined;
    }
    this.commitments = new FieldCommitments(this.digest, opening.salt);
    return opening.sealed().write(this.digest);
  }

  /** A further line that was verified. */
  line(line: AuditLine): string {
    const commitments: FieldCommitments = this.commitments as FieldCommitments;
    const fields: AuditFieldText[] = [];
    for (let i: number = 0; i < AUDIT_FIELDS.length; i++) {
      const field: AuditField = AUDIT_FIELDS[i];
      const value: string = line.fields[i].value ?? '';
      const shown: AuditFieldText = this.keep(line, field) ? { value: value, nonce: commitments.nonce(field, value) } :
        { commitment: commitments.of(field, value) };
      fields.push(shown);
    }
    const init: AuditLineInit = {
      seq: line.seq, prev: line.prev, timeMs: line.timeMs, step: line.step, decision: line.decision, code: line.code,
      position: line.position, fields: fields, hash: line.hash
    };
    return new AuditLine(init).write();
  }
}
