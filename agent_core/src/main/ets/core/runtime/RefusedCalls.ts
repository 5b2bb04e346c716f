import { JsonObject } from '../json/JsonObject';
import { SliceAccess } from '../state/SliceAccess';
import { SessionStore } from './SessionStore';
import { SliceList } from './SliceList';

/** A call that a person refused; by digest, so that no argument is stored a second time. */
interface RefusedCall {
  runId: string;
  toolName: string;
  digest: string;
}

/** What a person refused in this run, in the slice `refusedSignatures`: it is not asked a second time (S10). */
export class RefusedCalls {
  static readonly SLICE: string = 'refusedSignatures';
  private readonly store: SessionStore;
  private readonly calls: SliceList<RefusedCall>;

  constructor(store: SessionStore, slices: SliceAccess) {
    this.store = store;
    this.calls = new SliceList<RefusedCall>(slices, RefusedCalls.SLICE, 'calls', decode, encode);
  }

  /** @param digest made only when a call of the tool was refused */
  has(toolName: string, digest: () => string | undefined): boolean {
    const runId: string = this.runId();
    return this.calls.get().some((call: RefusedCall) =>
      call.runId === runId && call.toolName === toolName && call.digest === digest());
  }

  /** In the draft; what another run refused goes. */
  add(toolName: string, digest: string): void {
    const runId: string = this.runId();
    if (!this.has(toolName, (): string => digest)) {
      const call: RefusedCall = { runId: runId, toolName: toolName, digest: digest };
      this.calls.set(this.calls.get().filter((known: RefusedCall) => known.runId === runId).concat([call]));
    }
  }

  /** A new run begins: the person may be asked again. */
  clear(): void {
    this.calls.set([]);
  }

  private runId(): string {
    return this.store.draft.run?.runId ?? '';
  }
}

function decode(json: JsonObject): RefusedCall | undefined {
  const runId: string | undefined = json.getString('runId');
  const toolName: string | undefined = json.getString('toolName');
  const digest: string | undefined = json.getString('digest');
  if (runId === undefined || toolName === undefined || digest === undefined) {
    return undefined;
  }
  const call: RefusedCall = { runId: runId, toolName: toolName, digest: digest };
  return call;
}

function encode(call: RefusedCall): JsonObject {
  return new JsonObject().setString('runId', call.runId).setString('toolName', call.toolName).setString('digest', call.digest);
}
