import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { Digest } from '../../port/Digest';
import { AgentState } from '../AgentState';
import { StateCodec } from '../codec/StateCodec';
import { StateFault } from '../codec/StateFault';
import { Envelope, OpenedEnvelope } from './Envelope';

/** What a log holds. */
export interface LogContent {
  deltas: JsonObject[];
  /** Bytes of the records that are whole. */
  bytes: number;
  /** Something follows that was never acknowledged: the begin of a record. */
  torn: boolean;
}

/**
 * One record per line.
 *
 * An append that did not end leaves a last line without line feed, or one with holes where the medium had not written yet:
 * such a commit was never acknowledged and is dropped. Any other record that does not verify is damage.
 */
export class DeltaLog {
  private readonly envelope: Envelope;
  private readonly codec: StateCodec;

  constructor(digest: Digest, codec: StateCodec) {
    this.envelope = Envelope.forDelta(digest);
    this.codec = codec;
  }

  record(delta: string): string {
    return this.envelope.wrap(delta) + '\n';
  }

  /** Errors: state_corrupt, state_version_unsupported. */
  read(text: string): Result<LogContent, ArkAgentError> {
    const content: LogContent = { deltas: [], bytes: 0, torn: false };
    let at: number = 0;
    while (at < text.length) {
      const end: number = text.indexOf('\n', at);
      const line: string = text.slice(at, end < 0 ? text.length : end);
      if (end < 0 || (end === text.length - 1 && line.includes('\u0000'))) {
        content.torn = true;
        break;
      }
      const fault: ArkAgentError | undefined = this.add(line, content);
      if (fault !== undefined) {
        return Result.failure<LogContent, ArkAgentError>(fault);
      }
      at = end + 1;
    }
    return Result.success<LogContent, ArkAgentError>(content);
  }

  private add(line: string, content: LogContent): ArkAgentError | undefined {
    const path: string = `/log/${content.deltas.length}`;
    const opened: OpenedEnvelope | undefined = this.envelope.open(line);
    if (opened !== undefined && opened.schemaVersion > AgentState.SCHEMA_VERSION) {
      return StateFault.versionUnsupported(opened.schemaVersion, AgentState.SCHEMA_VERSION);
    }
    if (opened === undefined || !opened.intact || opened.schemaVersion !== AgentState.SCHEMA_VERSION) {
      return StateFault.corrupt(path, 'a record with its checksum', 'other bytes');
    }
    const delta: Result<JsonObject, ArkAgentError> = this.codec.object(opened.content);
    if (!delta.ok) {
      return delta.error;
    }
    content.deltas.push(delta.value);
    content.bytes += opened.bytes + 1;
    return undefined;
  }
}
