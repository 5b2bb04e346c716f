import { JsonObject } from '../json/JsonObject';

/** The named, versioned part of the state that one feature owns (DEC-09). Immutable. */
export class StateSlice {
  readonly version: number;
  /** Sealed. */
  readonly json: JsonObject;

  constructor(version: number, json: JsonObject) {
    this.version = version;
    this.json = json.seal();
  }
}
