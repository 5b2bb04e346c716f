import { JsonObject } from '../../json/JsonObject';

/**
 * One step of reading an older document.
 *
 * Contract: pure; changes the open copy that it is given and nothing else; never touches `proposed`, `effective` or `digest`
 * of a call (DEC-53). Failure: throws ArkAgentError state_corrupt when the document is not what its version promises.
 */
export interface StateMigration {
  /** The version that the step starts from; the last step of a version sets the next one. */
  readonly from: number;
  apply(document: JsonObject): void;
}
