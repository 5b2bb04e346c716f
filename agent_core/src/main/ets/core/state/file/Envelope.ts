import { Digest } from '../../port/Digest';
import { AgentState } from '../AgentState';
import { Utf8Length } from './Utf8Length';

/** What was found in an envelope. */
export interface OpenedEnvelope {
  schemaVersion: number;
  content: string;
  /** Length and checksum are those of the content. */
  intact: boolean;
  /** UTF-8 bytes of the whole envelope. */
  bytes: number;
}

/**
 * `{"format":…,"schemaVersion":…,"length":…,"checksum":"sha256:…","<member>":<content>}` around a JSON text.
 *
 * `length` is the UTF-8 bytes of the content and the checksum is over exactly these bytes, so that any other tool can verify
 * a file.
 */
export class Envelope {
  /** Bytes that hold everything before the content, and with it the checksum. */
  static readonly HEAD_BYTES: number = 200;
  private readonly digest: Digest;
  private readonly format: string;
  private readonly member: string;
  private readonly head: RegExp;

  constructor(digest: Digest, format: string, member: string) {
    this.digest = digest;
    this.format = format;
    this.member = member;
    this.head = new RegExp(`^\\{"format":"${format}","schemaVersion":([0-9]{1,9}),"length":([0-9]{1,15}),` +
      `"checksum":"sha256:([0-9a-f]{64})","${member}":`);
  }

  static forState(digest: Digest): Envelope {
    return new Envelope(digest, 'arkagent-state', 'state');
  }

  static forDelta(digest: Digest): Envelope {
    return new Envelope(digest, 'arkagent-delta', 'delta');
  }

  wrap(content: string): string {
    return `{"format":"${this.format}","schemaVersion":${AgentState.SCHEMA_VERSION},` +
      `"length":${Utf8Length.of(content)},"checksum":"sha256:${this.digest.sha256Hex(content)}",` +
      `"${this.member}":${content}}`;
  }

  /** What stands before the content of a state: no two states have the same. */
  static headOf(envelope: string): string {
    return envelope.slice(0, Math.min(envelope.indexOf('"state":'), Envelope.HEAD_BYTES));
  }

  /** @returns undefined when the text does not begin as an envelope does */
  open(text: string): OpenedEnvelope | undefined {
    const head: RegExpExecArray | null = this.head.exec(text);
    if (head === null) {
      return undefined;
    }
    const content: string = text.slice(head[0].length, -1);
    const length: number = Utf8Length.of(content);
    const opened: OpenedEnvelope = {
      schemaVersion: Number(head[1]),
      content: content,
      intact: text.endsWith('}') && length === Number(head[2]) && this.digest.sha256Hex(content) === head[3],
      bytes: head[0].length + length + 1
    };
    return opened;
  }
}
