import { FeatureLink } from '../runtime/session/FeatureLink';
import { RefusedCalls } from '../runtime/consent/RefusedCalls';
import { UnknownEffect, UnknownEffects } from '../runtime/ledger/UnknownEffects';
import { AgentState } from '../state/AgentState';
import { OpenCall } from '../state/OpenCall';
import { SliceAccess } from '../state/SliceAccess';
import { StateSlice } from '../state/StateSlice';

/**
 * What a person refused, and the effects of which nobody knows whether they happened, count for a session and its children
 * alike: a task that is given to a worker is no way round a no, and no second try without a question (S9, S10).
 *
 * Handed down before the child's first write and taken back in the write that answers the call. What a person allowed the child
 * to make again is asked about once more above.
 */
export class SharedConsents {
  static handDown(above: FeatureLink, child: SliceAccess): void {
    const effects: UnknownEffects = new UnknownEffects(child);
    for (const effect of new UnknownEffects(above).list()) {
      effects.begun(effect);
    }
    effects.collect(above.openBatchId, above.openCalls());
    RefusedCalls.handDown(above, above.stamp().runId, child);
  }

  static handUp(child: AgentState, above: FeatureLink): void {
    const effects: UnknownEffects = new UnknownEffects(above);
    const open: ReadonlyArray<OpenCall> = child.openBatch?.calls ?? [];
    for (const effect of UnknownEffects.of(child.openBatch?.batchId ?? '', open).concat(
      new UnknownEffects(new StoredSlices(child)).list())) {
      addNew(effects, effect, above.openCalls());
    }
    RefusedCalls.handUp(new StoredSlices(child), child.run?.runId ?? '', above, above.stamp().runId);
  }
}

/** Not a second time what the session handed down itself, or has in its own batch. */
function addNew(effects: UnknownEffects, effect: UnknownEffect, own: ReadonlyArray<OpenCall>): void {
  const known: boolean = effects.has(effect.toolName, (): string => effect.digest) || own.some((call: OpenCall): boolean =>
    call.digest === effect.digest && call.effective.name === effect.toolName);
  if (!known) {
    effects.begun(effect);
  }
}

/** The slices of a stored state, to be read. */
class StoredSlices implements SliceAccess {
  private readonly state: AgentState;

  constructor(state: AgentState) {
    this.state = state;
  }

  getSlice(name: string): StateSlice | undefined {
    return this.state.slices.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    // A state does not change.
  }
}
