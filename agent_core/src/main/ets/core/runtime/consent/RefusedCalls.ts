import { JsonObject } from '../../json/JsonObject';
import { SliceAccess } from '../../state/SliceAccess';
import { SessionStore } from '../store/SessionStore';
import { SliceList } from '../store/SliceList';

/** A call that a person refused; by digest, so that no argument is stored a second time. */
interface RefusedCall {
  runId: string;
  toolName: string;
  digest: string;
}

/** What a person refused in this run, in the slice `refusedSignatures`: it is not asked a second time (S10). */
export class RefusedCalls {
  static readonly SLICE: string = 'refusedSignatures';
  /** In place of a run: refused in the session that this one works for, whose run this session is a part of. */
  static readonly ABOVE: string = 'above';
  private readonly store: SessionStore;
  private readonly calls: SliceList<RefusedCall>;

  constructor(store: SessionStore, slices: SliceAccess) {
    this.store = store;
    this.calls = RefusedCalls.listIn(slices);
  }

  /** What was refused in the run counts in a session that works for it. */
  static handDown(from: SliceAccess, runId: string, to: SliceAccess): void {
    const refused: ReadonlyArray<RefusedCall> = RefusedCalls.listIn(from).get().filter((call: RefusedCall) => counts(call, runId));
    RefusedCalls.listIn(to).set(refused.map<RefusedCall>((call: RefusedCall) => ofRun(call, RefusedCalls.ABOVE)));
  }

  /** What was refused in a session that worked for the run counts in it. */
  static handUp(from: SliceAccess, fromRunId: string, to: SliceAccess, runId: string): void {
    const target: SliceList<RefusedCall> = RefusedCalls.listIn(to);
    const refused: ReadonlyArray<RefusedCall> = RefusedCalls.listIn(from).get().filter((call: RefusedCall) => call.runId === fromRunId);
    if (refused.length > 0) {
      target.set(target.get().concat(refused.map<RefusedCall>((call: RefusedCall) => ofRun(call, runId))));
    }
  }

  private static listIn(slices: SliceAccess): SliceList<RefusedCall> {
    return new SliceList<RefusedCall>(slices, RefusedCalls.SLICE, 'calls', decode, encode);
  }

  /** @param digest made only when a call of the tool was refused */
  has(toolName: string, digest: () => string | undefined): boolean {
    const runId: string = this.runId();
    return this.calls.get().some((call: RefusedCall) =>
      counts(call, runId) && call.toolName === toolName && call.digest === digest());
  }

  /** In the draft; what another run refused goes. */
  add(toolName: string, digest: string): void {
    const runId: string = this.runId();
    if (!this.has(toolName, (): string => digest)) {
      const call: RefusedCall = { runId: runId, toolName: toolName, digest: digest };
      this.calls.set(this.calls.get().filter((known: RefusedCall) => counts(known, runId)).concat([call]));
    }
  }

  /** The refusal did not come to be. */
  remove(toolName: string, digest: string): void {
    this.calls.set(this.calls.get().filter((call: RefusedCall) => call.toolName !== toolName || call.digest !== digest));
  }

  /** A new run begins: the person may be asked again. */
  clear(): void {
    if (this.calls.get().length > 0) {
      this.calls.set(this.calls.get().filter((known: RefusedCall) => counts(known, '')));
    }
  }

  private runId(): string {
    return this.store.draft.run?.runId ?? '';
  }
}

function counts(call: RefusedCall, runId: string): boolean {
  return call.runId === runId || call.runId === RefusedCalls.ABOVE;
}

function ofRun(call: RefusedCall, runId: string): RefusedCall {
  const moved: RefusedCall = { runId: runId, toolName: call.toolName, digest: call.digest };
  return moved;
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
