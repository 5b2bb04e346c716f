import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonText } from '../../json/JsonText';
import { JsonValue } from '../../json/JsonValue';
import { Result } from '../../base/Result';
import { ArkAgentError } from '../../base/ArkAgentError';
import { Digest } from '../../port/Digest';
import { AUDIT_FIELDS, AuditField, FieldCommitments } from './AuditFields';

/** A field as a line shows it: its value, its value with what opens the commitment (export), or the commitment alone. */
export interface AuditFieldText {
  value?: string;
  nonce?: string;
  commitment?: string;
}

/** The open parts of a line. */
export interface AuditLineInit {
  seq: number;
  /** Hash of the line before; empty for the first. */
  prev: string;
  timeMs: number;
  step: string;
  decision: string;
  code: string;
  position: number;
  fields: ReadonlyArray<AuditFieldText>;
  hash: string;
}

const NOT_ASCII: RegExp = /[^\x20-\x7e]/;
const NONCE: RegExp = /^[0-9a-f]{64}$/;

/** One record in a file: written in one way only, so that a line that reads differently is not the line that was hashed. */
export class AuditLine {
  readonly seq: number;
  readonly prev: string;
  readonly timeMs: number;
  readonly step: string;
  readonly decision: string;
  readonly code: string;
  readonly position: number;
  /** In the order of `AUDIT_FIELDS`. */
  readonly fields: ReadonlyArray<AuditFieldText>;
  readonly hash: string;

  constructor(init: AuditLineInit) {
    this.seq = init.seq;
    this.prev = init.prev;
    this.timeMs = init.timeMs;
    this.step = init.step;
    this.decision = init.decision;
    this.code = init.code;
    this.position = init.position;
    this.fields = init.fields;
    this.hash = init.hash;
  }

  /** undefined for text that is not exactly how a line is written. */
  static parse(text: string, codec: JsonCodec): AuditLine | undefined {
    const parsed: Result<JsonObject, ArkAgentError> = codec.parseObject(text);
    if (!parsed.ok) {
      return undefined;
    }
    const object: JsonObject = parsed.value;
    const init: AuditLineInit = {
      seq: object.getNumber('seq') ?? -1, prev: object.getString('prev') ?? '', timeMs: object.getNumber('at') ?? -1,
      step: object.getString('step') ?? '', decision: object.getString('decision') ?? '', code: object.getString('code') ?? '',
      position: object.getNumber('position') ?? -1, hash: object.getString('hash') ?? '',
      fields: AUDIT_FIELDS.map<AuditFieldText>((field: AuditField) => fieldOf(object.get(field)))
    };
    const line: AuditLine = new AuditLine(init);
    return line.write() === text ? line : undefined;
  }

  /** How many fields show only their commitment. */
  get hiddenFields(): number {
    return this.fields.filter((field: AuditFieldText) => field.commitment !== undefined).length;
  }

  /** Without line end. ASCII only, so that characters are bytes. */
  write(): string {
    let text: string = AuditLine.head(this.seq, this.prev, this.timeMs, this.position);
    text += AuditLine.words(this.step, this.decision, this.code);
    for (let i: number = 0; i < AUDIT_FIELDS.length; i++) {
      text += `,"${AUDIT_FIELDS[i]}":${fieldText(this.fields[i])}`;
    }
    return `${text},"hash":"${this.hash}"}`;
  }

  /**
   * The hash that the line must carry: over everything that is open and the commitments of the rest.
   * @param commitments of the whole file; undefined for an export
   */
  expectedHash(digest: Digest, commitments: FieldCommitments | undefined): string | undefined {
    const found: string[] = [];
    for (let i: number = 0; i < AUDIT_FIELDS.length; i++) {
      const commitment: string | undefined = committed(digest, commitments, AUDIT_FIELDS[i], this.fields[i]);
      if (commitment === undefined) {
        return undefined;
      }
      found.push(commitment);
    }
    return digest.sha256Hex(AuditLine.hashed(AuditLine.head(this.seq, this.prev, this.timeMs, this.position) +
      AuditLine.words(this.step, this.decision, this.code), found));
  }

  static head(seq: number, prev: string, timeMs: number, position: number): string {
    return `{"seq":${seq},"prev":${quote(prev)},"at":${timeMs},"position":${position}`;
  }

  static words(step: string, decision: string, code: string): string {
    return `,"step":${quote(step)},"decision":${quote(decision)},"code":${quote(code)}`;
  }

  /** What is hashed. */
  static hashed(open: string, commitments: ReadonlyArray<string>): string {
    return `${open}\n${commitments.join('\n')}`;
  }
}

/** A JSON string in ASCII. */
export function quote(text: string): string {
  if (!NOT_ASCII.test(text)) {
    return JsonText.quote(text);
  }
  let ascii: string = '';
  for (let i: number = 0; i < text.length; i++) {
    const unit: number = text.charCodeAt(i);
    ascii += unit >= 0x20 && unit <= 0x7e && unit !== 0x22 && unit !== 0x5c ? text.charAt(i) :
      `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return `"${ascii}"`;
}

function fieldText(field: AuditFieldText): string {
  if (field.commitment !== undefined) {
    return `{"c":${quote(field.commitment)}}`;
  }
  return field.nonce === undefined ? quote(field.value ?? '') : `{"v":${quote(field.value ?? '')},"n":${quote(field.nonce)}}`;
}

function fieldOf(value: JsonValue | undefined): AuditFieldText {
  const object: JsonObject | undefined = value?.asObject();
  const read: AuditFieldText = object === undefined ? { value: value?.asString() ?? '' } :
    { value: object.getString('v'), nonce: object.getString('n'), commitment: object.getString('c') };
  return read;
}

function committed(digest: Digest, commitments: FieldCommitments | undefined, field: AuditField,
  shown: AuditFieldText): string | undefined {
  if (shown.commitment !== undefined) {
    return shown.commitment;
  }
  const value: string = shown.value ?? '';
  if (shown.nonce !== undefined) {
    // Only the form that the salt gives: a longer one could swallow a part of the value.
    return !NONCE.test(shown.nonce) ? undefined : FieldCommitments.commitment(digest, shown.nonce, field, value);
  }
  return commitments?.of(field, value);
}
