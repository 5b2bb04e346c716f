import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import type { ArgumentRow } from '../../../entry/src/main/ets/viewmodel/ArgumentTable.ets';
import { WordKey } from '../../../entry/src/main/ets/viewmodel/WordKey.ets';
import type { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import type { TerminalStyle } from './TerminalStyle';

/** The approval card as lines that survive a pipe. */
export class CardView {
  constructor(private readonly words: Words, private readonly style: TerminalStyle) {}

  /** @param savedIn where the question is stored */
  lines(card: ApprovalCardModel, savedIn: string): string[] {
    const { words, style } = this;
    const label = (key: WordKey, text: string): string => `  ${style.dim(`${words.of(key)}:`)} ${text}`;
    const until = card.until === '' ? '' : `  ${style.dim(`${words.of(WordKey.cardUntil)}:`)} ${card.until}`;
    return [
      '',
      `? ${style.bold(card.sentence)}${card.progress === '' ? '' : `  ${style.dim(`(${card.progress})`)}`}`,
      `  ${style.risk(card.risk.color, card.riskText)}`,
      ...card.notes.map((note: string) => `  ${style.bold(note)}`),
      ...card.why.map((why: string) => label(WordKey.cardWhy, why)),
      `${label(WordKey.cardWho, card.who)}  ${style.dim(`${words.of(WordKey.cardSince)}:`)} ${card.since}${until}`,
      label(WordKey.cardArguments, card.toolName),
      ...(card.rows.length === 0 ? [`    ${words.of(WordKey.cardNoArguments)}`] : card.rows.map((row: ArgumentRow) => this.row(row))),
      ...(card.siblings.length === 0 ? [] : [label(WordKey.cardSiblings, '')]),
      ...card.siblings.map((line: string) => `    ${line}`),
      `  ${style.dim(savedIn)}`,
    ];
  }

  /** The terminal has no way to unfold: what will run is shown in full. */
  private row(row: ArgumentRow): string {
    const before = row.proposed === undefined ? '' : `  ${this.style.dim(`(${this.words.of(WordKey.cardProposed)}: ${row.proposed})`)}`;
    return `    ${row.name} = ${row.value}${before}`;
  }
}
