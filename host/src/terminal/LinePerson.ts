import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { WordKey } from '../../../entry/src/main/ets/viewmodel/WordKey.ets';
import type { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import type { LineReader } from './LineReader';
import type { Person, PersonAnswer } from './Person';

/** Writes one line of the dialogue. */
export type LineWriter = (line: string) => void;

/**
 * Decisions as lines: `approve` (then `yes` for what cannot be undone, or `approve yes` at once), `deny [reason]`,
 * `edit {json}`, `later`. The end of the input means later.
 */
export class LinePerson implements Person {
  /** @param typedYes false for machines, whose `approve` is deliberate already */
  constructor(private readonly reader: LineReader, private readonly write: LineWriter, private readonly words: Words,
    private readonly typedYes: boolean) {}

  async decide(card: ApprovalCardModel, mayKill: boolean): Promise<PersonAnswer> {
    for (;;) {
      this.write(`approve${card.risk.deliberate && this.typedYes ? ' yes' : ''} | deny [reason] | edit {json} | later${mayKill ? ' | kill' : ''} >`);
      const line = await this.reader.next();
      if (line === undefined) return { kind: 'later' };
      const answer = await this.parse(line.trim(), card, mayKill);
      if (answer !== undefined) return answer;
    }
  }

  async message(suggestion: string): Promise<string | undefined> {
    this.write(`${this.words.of(WordKey.inputHint)} >`);
    const line = await this.reader.next();
    return line === undefined ? undefined : line.trim() === '' ? suggestion : line.trim();
  }

  interrupt(): void {
    this.reader.interrupt();
  }

  close(): void {
    this.reader.close();
  }

  private async parse(line: string, card: ApprovalCardModel, mayKill: boolean): Promise<PersonAnswer | undefined> {
    const space = line.search(/\s/);
    const word = (space < 0 ? line : line.slice(0, space)).toLowerCase();
    const rest = space < 0 ? '' : line.slice(space + 1).trim();
    if (word === 'approve') return (await this.confirmed(card, rest)) ? { kind: 'approve' } : undefined;
    if (word === 'deny') return { kind: 'deny', reason: rest };
    if (word === 'edit' && rest !== '') return { kind: 'edit', argumentsJson: rest };
    if (word === 'later') return { kind: 'later' };
    return word === 'kill' && mayKill ? { kind: 'kill' } : undefined;
  }

  private async confirmed(card: ApprovalCardModel, typed: string): Promise<boolean> {
    if (!card.risk.deliberate || !this.typedYes || typed === 'yes') return true;
    this.write(`${this.words.of(WordKey.cardTypeYes)} >`);
    return (await this.reader.next())?.trim() === 'yes';
  }
}
