import { SliceAccess } from '../../state/SliceAccess';
import { StateSlice } from '../../state/StateSlice';
import { SessionStore } from './SessionStore';

/** The slices of the draft: what is put is in the next commit. */
export class StoreSlices implements SliceAccess {
  private readonly store: SessionStore;

  constructor(store: SessionStore) {
    this.store = store;
  }

  getSlice(name: string): StateSlice | undefined {
    return this.store.draft.slices.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    const next: Map<string, StateSlice> = new Map<string, StateSlice>();
    for (const known of this.store.draft.slices.keys()) {
      next.set(known, this.store.draft.slices.get(known) as StateSlice);
    }
    if (slice === undefined) {
      next.delete(name);
    } else {
      next.set(name, slice);
    }
    this.store.draft.slices = next;
  }
}
