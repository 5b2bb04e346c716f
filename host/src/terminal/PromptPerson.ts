import { isCancel, select, text } from '@clack/prompts';
import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { WordKey } from '../../../entry/src/main/ets/viewmodel/WordKey.ets';
import type { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import type { Person, PersonAnswer } from './Person';

type Choice = PersonAnswer['kind'];

/** A person at a real terminal. Ctrl-C and Escape mean later; the choice never starts on approve. */
export class PromptPerson implements Person {
  private broken = new AbortController();

  constructor(private readonly words: Words, private readonly killLabel: string) {}

  async decide(card: ApprovalCardModel, mayKill: boolean): Promise<PersonAnswer> {
    for (;;) {
      const chosen = await this.choose(card, mayKill);
      const answer = await this.complete(chosen, card);
      if (answer !== undefined) return answer;
    }
  }

  async message(suggestion: string): Promise<string | undefined> {
    const said = await text({ message: this.words.of(WordKey.inputHint), placeholder: suggestion, defaultValue: suggestion, signal: this.fresh() });
    return isCancel(said) ? undefined : said;
  }

  interrupt(): void {
    this.broken.abort();
  }

  close(): void {
    this.broken.abort();
  }

  private async choose(card: ApprovalCardModel, mayKill: boolean): Promise<Choice> {
    const { words } = this;
    const options: { value: Choice; label: string }[] = [
      { value: 'later', label: words.of(WordKey.cardLater) },
      { value: 'deny', label: words.of(WordKey.cardDeny) },
      { value: 'edit', label: words.of(WordKey.cardEdit) },
      { value: 'approve', label: words.of(WordKey.cardApprove) },
    ];
    if (mayKill) options.unshift({ value: 'kill', label: this.killLabel });
    const chosen = await select<Choice>({ message: card.sentence, options, initialValue: options[0]!.value, signal: this.fresh() });
    return isCancel(chosen) ? 'later' : chosen;
  }

  /** @returns undefined when the person turned back: the card is asked again */
  private async complete(chosen: Choice, card: ApprovalCardModel): Promise<PersonAnswer | undefined> {
    switch (chosen) {
      case 'approve':
        return (await this.deliberate(card)) ? { kind: 'approve' } : undefined;
      case 'deny': {
        const reason = await text({ message: this.words.of(WordKey.cardDenyReason), defaultValue: '', signal: this.fresh() });
        return isCancel(reason) ? undefined : { kind: 'deny', reason };
      }
      case 'edit': {
        const edited = await text({ message: this.words.of(WordKey.cardEditHint), initialValue: card.argumentsJson, signal: this.fresh() });
        return isCancel(edited) ? undefined : { kind: 'edit', argumentsJson: edited };
      }
      default:
        return { kind: chosen };
    }
  }

  private async deliberate(card: ApprovalCardModel): Promise<boolean> {
    if (!card.risk.deliberate) return true;
    const typed = await text({ message: this.words.of(WordKey.cardTypeYes), signal: this.fresh() });
    return !isCancel(typed) && typed.trim() === 'yes';
  }

  private fresh(): AbortSignal {
    if (this.broken.signal.aborted) this.broken = new AbortController();
    return this.broken.signal;
  }
}
