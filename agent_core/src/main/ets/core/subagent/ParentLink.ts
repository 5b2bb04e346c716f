import { JsonObject } from '../json/JsonObject';
import { Digest } from '../port/Digest';
import { ChildSessionId } from '../state/ChildSessionId';
import { SliceAccess } from '../state/SliceAccess';
import { StateSlice } from '../state/StateSlice';

/** In a child session: which call of which session it works on. In its first commit, and never changed. Immutable. */
export class ParentLink {
  static readonly SLICE: string = 'subagent.parent';
  private static readonly VERSION: number = 1;
  readonly sessionId: string;
  readonly batchId: string;
  readonly position: number;

  constructor(sessionId: string, batchId: string, position: number) {
    this.sessionId = sessionId;
    this.batchId = batchId;
    this.position = position;
  }

  /** The session that works on this call; there is no other one. */
  childSessionId(digest: Digest): string {
    return ChildSessionId.of(this.sessionId, this.batchId, this.position, digest);
  }

  equals(other: ParentLink): boolean {
    return this.sessionId === other.sessionId && this.batchId === other.batchId && this.position === other.position;
  }

  /** @returns undefined for a session that is no child, or one of another version */
  static read(slices: ReadonlyMap<string, StateSlice>): ParentLink | undefined {
    const slice: StateSlice | undefined = slices.get(ParentLink.SLICE);
    const sessionId: string | undefined = slice?.json.getString('sessionId');
    const batchId: string | undefined = slice?.json.getString('batchId');
    const position: number | undefined = slice?.json.getNumber('position');
    if (slice?.version !== ParentLink.VERSION || sessionId === undefined || batchId === undefined || position === undefined) {
      return undefined;
    }
    return new ParentLink(sessionId, batchId, position);
  }

  write(slices: SliceAccess): void {
    slices.putSlice(ParentLink.SLICE, new StateSlice(ParentLink.VERSION, new JsonObject()
      .setString('sessionId', this.sessionId).setString('batchId', this.batchId).setNumber('position', this.position)));
  }
}
