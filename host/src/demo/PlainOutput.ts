import { AgentEventType, AgentStopReason, ErrorCode, type AgentEvent, type ArkAgentError, type PendingApprovalItem } from 'agent_core';
import type { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { DecisionText } from '../../../entry/src/main/ets/viewmodel/DecisionText.ets';
import { Ending } from '../../../entry/src/main/ets/viewmodel/Ending.ets';
import { SafeText } from '../../../entry/src/main/ets/viewmodel/SafeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { WordKey } from '../../../entry/src/main/ets/viewmodel/WordKey.ets';
import type { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { CardView } from '../terminal/CardView';
import type { TerminalStyle } from '../terminal/TerminalStyle';
import type { DemoOutput, DemoStart } from './DemoOutput';
import { HostWords } from './HostWords';

const SIGNS: Readonly<Record<string, string>> = { ok: '✓', rejected: '✗', failed: '✗', cancelled: '–', unknown: '?' };

/** What PlainOutput writes with. */
export interface PlainOutputParts {
  readonly write: (text: string) => void;
  readonly words: Words;
  readonly style: TerminalStyle;
  readonly captions: ToolCaptions;
  /** The session's folder as a person would write it. */
  readonly savedIn: string;
}

/** The demonstration as lines that a person reads and a pipe survives. */
export class PlainOutput implements DemoOutput {
  private readonly host: HostWords;
  private inText = false;
  private carry = '';

  constructor(private readonly parts: PlainOutputParts) {
    this.host = new HostWords(parts.words.chinese);
  }

  start(start: DemoStart): void {
    const { style } = this.parts;
    this.line(style.dim(this.host.process(process.pid, this.parts.savedIn)));
    if (!start.online) this.line(style.dim(this.parts.words.of(WordKey.stateOffline)));
    if (start.restored) this.line(style.bold(`${start.line} ${this.host.fromDisk(this.parts.savedIn, start.revision)}`));
  }

  message(text: string): void {
    this.line(`${this.parts.style.bold(`${this.parts.words.of(WordKey.you)}:`)} ${SafeText.block(text)}`);
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case AgentEventType.textDelta:
        return this.text(event.text);
      case AgentEventType.modelRestarted:
        return this.line(this.parts.style.dim(this.host.restarted()));
      case AgentEventType.toolCallStarted:
        return this.line(`  ▸ ${this.title(event)}: ${this.parts.words.of(WordKey.toolRunning)}`);
      case AgentEventType.toolCallFinished:
        return this.finished(event);
      case AgentEventType.statePersisted:
        return event.persisted ? undefined : this.line(this.parts.style.bad(this.parts.words.of(WordKey.saveFailed, SafeText.line(event.text))));
      case AgentEventType.cancelRequested:
        return this.line(this.parts.words.of(WordKey.endStopping));
      default:
        return undefined;
    }
  }

  card(card: ApprovalCardModel, revision: number): void {
    const saved = this.host.questionSaved(this.parts.savedIn, card.batchId, revision);
    for (const line of new CardView(this.parts.words, this.parts.style).lines(card, saved)) this.line(line);
  }

  decided(item: PendingApprovalItem): void {
    const what = DecisionText.of(item, this.parts.captions, this.parts.words);
    this.line(`  ${this.parts.style.bold(what)} ${this.parts.style.dim(this.host.saved(this.parts.savedIn))}`);
  }

  refused(error: ArkAgentError): void {
    const { words, style } = this.parts;
    const why = SafeText.isolated(`${error.code}: ${error.message}`);
    const edit = error.code === ErrorCode.approvalEditRejected;
    this.line(style.bad(edit ? words.of(WordKey.cardEditRefused, why) : `${Ending.ofError(error).text(words)} (${why})`));
  }

  failed(error: ArkAgentError): void {
    this.line(this.parts.style.bad(`${Ending.ofError(error).text(this.parts.words)} (${error.code}: ${SafeText.line(error.message)})`));
  }

  ended(stopReason: AgentStopReason): void {
    const text = Ending.ofStop(stopReason).text(this.parts.words);
    this.line(stopReason === AgentStopReason.complete ? this.parts.style.good(text) : text);
  }

  later(): void {
    this.line(this.host.later(this.parts.savedIn));
  }

  stopHint(): void {
    this.line(this.parts.style.dim(this.host.stopHint()));
  }

  dying(): void {
    this.line(this.parts.style.bad(this.host.dying(process.pid)));
  }

  private finished(event: AgentEvent): void {
    const status = event.envelope?.status ?? '';
    const word: Readonly<Record<string, WordKey>> = {
      ok: WordKey.toolDone, rejected: WordKey.toolRefused, failed: WordKey.toolFailed, cancelled: WordKey.toolCancelled, unknown: WordKey.toolUnknown,
    };
    const code = event.envelope?.code ?? '';
    const said = `  ${SIGNS[status] ?? '·'} ${this.title(event)}: ${this.parts.words.of(word[status] ?? WordKey.toolFailed)}${code === '' ? '' : ` (${code})`}`;
    this.line(status === 'ok' ? this.parts.style.good(said) : this.parts.style.bad(said));
  }

  private title(event: AgentEvent): string {
    return this.parts.captions.title(event.call?.name ?? '');
  }

  private text(text: string): void {
    if (!this.inText) {
      this.parts.write(`${this.parts.style.bold(`${this.parts.words.of(WordKey.assistant)}:`)} `);
      this.inText = true;
    }
    const whole = this.carry + text;
    const cut = whole.length - (SafeText.endsInHalf(whole) ? 1 : 0);
    this.carry = whole.slice(cut);
    this.parts.write(SafeText.block(whole.slice(0, cut)));
  }

  private line(line: string): void {
    if (this.inText) this.parts.write(`${SafeText.block(this.carry)}\n`);
    this.inText = false;
    this.carry = '';
    this.parts.write(`${line}\n`);
  }
}
