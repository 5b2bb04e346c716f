import { SecretRule } from './SecretRule';

/** What is masked; a member left out takes the default named at its line. */
export interface RedactionOptions {
  /** False = nothing is masked anywhere: results, arguments and errors are stored, shown and sent as they are. Default true. */
  enabled?: boolean;
  /** Rules of the app beside the shipped ones: none. */
  rules?: ReadonlyArray<SecretRule>;
  /** Also phone, identity, passport and card numbers and mail addresses, except in arguments, where the person has to see them: false. */
  personal?: boolean;
  /** Also what the model writes, across the pieces of its stream: true. */
  modelText?: boolean;
  /** Also the text of new input before it is stored and sent; a person who types a key may want it used: false. */
  input?: boolean;
}
