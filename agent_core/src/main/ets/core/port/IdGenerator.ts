/** Source of unique ids. Contract: never throws, never repeats an id within one installation of the app. */
export interface IdGenerator {
  /** A new id of letters, digits and `-`, at most 64 characters. */
  nextId(): string;
}
