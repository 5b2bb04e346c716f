import { JsonObject } from '../json/JsonObject';
import { SliceAccess } from '../state/SliceAccess';
import { StateSlice } from '../state/StateSlice';

/** How many tasks the run of a session has delegated; a resume does not start anew. */
export class ChildCount {
  static readonly SLICE: string = 'subagent.count';
  private static readonly VERSION: number = 1;

  static of(slices: SliceAccess, runId: string): number {
    const json: JsonObject | undefined = slices.getSlice(ChildCount.SLICE)?.json;
    return json?.getString('runId') === runId ? json.getNumber('children') ?? 0 : 0;
  }

  static add(slices: SliceAccess, runId: string): void {
    const next: number = ChildCount.of(slices, runId) + 1;
    slices.putSlice(ChildCount.SLICE, new StateSlice(ChildCount.VERSION,
      new JsonObject().setString('runId', runId).setNumber('children', next)));
  }
}
