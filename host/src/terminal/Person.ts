import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';

/** What a person answers to a card. Later means: leave, the question stays. */
export type PersonAnswer =
  | { readonly kind: 'approve' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'edit'; readonly argumentsJson: string }
  | { readonly kind: 'later' }
  | { readonly kind: 'kill' };

/** Whoever sits at the terminal, or writes into its pipe. */
export interface Person {
  /** @param mayKill offer to kill this process, as part of the story */
  decide(card: ApprovalCardModel, mayKill: boolean): Promise<PersonAnswer>;
  /** The next message, or undefined to leave. @param suggestion taken for an empty answer */
  message(suggestion: string): Promise<string | undefined>;
  /** Ctrl-C while something is asked: the question ends as later, the message as leaving. */
  interrupt(): void;
  close(): void;
}
