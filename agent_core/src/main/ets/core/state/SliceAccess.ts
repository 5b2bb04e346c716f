import { StateSlice } from './StateSlice';

/** A feature's way to its own part of the state; what is put is in the next commit (DEC-09). */
export interface SliceAccess {
  getSlice(name: string): StateSlice | undefined;
  /** undefined removes it. */
  putSlice(name: string, slice: StateSlice | undefined): void;
}
