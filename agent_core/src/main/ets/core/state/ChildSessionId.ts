import { Digest } from '../port/Digest';
import { SessionId } from './SessionId';

/** Names the session of a child: by the call that it works on, so that every process comes to the same one (DEC-54). */
export class ChildSessionId {
  /** Of ids that stand for a longer one. */
  static readonly SHORT_PREFIX: string = 'child.';

  /** `parent.batch.position`; where that is longer than a session id may be, its digest with a prefix. */
  static of(parentSessionId: string, batchId: string, position: number, digest: Digest): string {
    const full: string = `${parentSessionId}.${batchId}.${position}`;
    return full.length <= SessionId.MAX_CHARS ? full : ChildSessionId.SHORT_PREFIX + digest.sha256Hex(full);
  }
}
