import { PassThrough } from 'node:stream';
import { ToolRiskLevel, type PendingApprovalItemInit } from 'agent_core';
import { describe, expect, it } from 'vitest';
import { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { RiskColor } from '../../../entry/src/main/ets/viewmodel/RiskLabel.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { CardView } from '../../../host/src/terminal/CardView';
import { LinePerson } from '../../../host/src/terminal/LinePerson';
import { LineReader } from '../../../host/src/terminal/LineReader';
import { TerminalStyle } from '../../../host/src/terminal/TerminalStyle';
import { T0, batchOf, item } from '../viewmodel/fixtures';

const words = new Words('en');
const terminal = { isTTY: true, columns: 80, write: () => true };
const pipe = { write: () => true };

function card(change: Partial<PendingApprovalItemInit> = {}, siblings: Parameters<typeof batchOf>[1] = []): ApprovalCardModel {
  const one = item(change);
  return new ApprovalCardModel(batchOf([one], siblings), one, { words, captions: new ToolCaptions(), times: new LocalTimeText() }, T0);
}

describe('TerminalStyle', () => {
  it('paints on a terminal only, and never against NO_COLOR or a dumb terminal', () => {
    expect(new TerminalStyle(terminal, {}).bold('x')).toBe('\u001b[1mx\u001b[0m');
    for (const style of [new TerminalStyle(pipe, {}), new TerminalStyle(terminal, { NO_COLOR: '1' }), new TerminalStyle(terminal, { TERM: 'dumb' })]) {
      expect([style.bold('x'), style.dim('x'), style.good('x'), style.bad('x'), style.risk(RiskColor.danger, 'x')].join('')).toBe('xxxxx');
    }
    expect(new TerminalStyle(terminal, { NO_COLOR: '' }).colored).toBe(true);
  });

  it('tells the risks apart by colour, beside word and icon', () => {
    const style = new TerminalStyle(terminal, {});
    expect(new Set([RiskColor.neutral, RiskColor.caution, RiskColor.danger].map((color) => style.risk(color, 'x'))).size).toBe(3);
  });
});

describe('CardView', () => {
  const lines = (one: ApprovalCardModel): string => new CardView(words, new TerminalStyle(pipe, {})).lines(one, 'saved in X').join('\n');

  it('shows everything of the card in plain lines', () => {
    const text = lines(card({ expiresAtMs: T0 + 60_000, warnings: ['hot oven'] }, [{ position: 1, toolName: 'read', status: 'will_run' as never }]));
    expect(text).toBe([
      '', '? Run the tool clear_baking_cache?', '  ▲ Cannot be undone', '  Why: It does something final; such tools always ask.',
      '  Why: \u2068hot oven\u2069', '  Asked by: the baking assistant  Since: 14:05  Until: 14:06', '  What will run: clear_baking_cache',
      '    confirm = "yes"', '  The rest of this step: ', '    read: will run after your decision', '  saved in X',
    ].join('\n'));
  });

  it('hides nothing of a long value, and no escape sequence of a value reaches the terminal', () => {
    const long = 'x'.repeat(2000);
    const text = lines(card({ toolCall: card_call(`{"a":"${long}","b":"\\u001b[2J"}`) }));
    expect(text).toContain(long);
    expect(text).not.toContain('\u001b');
  });
});

function card_call(argumentsJson: string): PendingApprovalItemInit['toolCall'] {
  return item().toolCall.withArguments(argumentsJson);
}

describe('LinePerson', () => {
  function seat(typedYes = true) {
    const input = new PassThrough();
    const asked: string[] = [];
    return { input, asked, person: new LinePerson(new LineReader(input), (line) => asked.push(line), words, typedYes) };
  }
  const answer = async (text: string, one = card(), typedYes = true, mayKill = false) => {
    const { input, person } = seat(typedYes);
    input.end(text);
    return person.decide(one, mayKill);
  };

  it('approves what cannot be undone only after a typed yes', async () => {
    expect(await answer('approve\nyes\n')).toEqual({ kind: 'approve' });
    expect(await answer('approve yes\n')).toEqual({ kind: 'approve' });
    for (const text of ['approve\n', 'approve\ny\n', 'approve\nYES\n', 'approve no\n', 'yes\n', '\n']) expect(await answer(text)).toEqual({ kind: 'later' });
    expect(await answer('approve\n', card(), false)).toEqual({ kind: 'approve' });
    expect(await answer('approve\n', card({ riskLevel: ToolRiskLevel.sensitive }))).toEqual({ kind: 'approve' });
  });

  it('denies with or without a reason, edits, postpones; anything else asks again', async () => {
    expect(await answer('deny\n')).toEqual({ kind: 'deny', reason: '' });
    expect(await answer('  Deny  not  now \n')).toEqual({ kind: 'deny', reason: 'not  now' });
    expect(await answer('edit {"a": 1}\n')).toEqual({ kind: 'edit', argumentsJson: '{"a": 1}' });
    expect(await answer('later\n')).toEqual({ kind: 'later' });
    expect(await answer('hm\nedit\nkill\napproved\ndeny x\n')).toEqual({ kind: 'deny', reason: 'x' });
    expect(await answer('kill\n', card(), true, true)).toEqual({ kind: 'kill' });
    expect(await answer('')).toEqual({ kind: 'later' });
  });

  it('an interrupt means later and loses no line', async () => {
    const { input, person, asked } = seat();
    const open = person.decide(card(), false);
    person.interrupt();
    expect(await open).toEqual({ kind: 'later' });
    input.write('deny after all\n');
    expect(await person.decide(card(), false)).toEqual({ kind: 'deny', reason: 'after all' });
    expect(asked[0]).toBe('approve yes | deny [reason] | edit {json} | later >');
    person.close();
  });

  it('reads messages, takes the suggestion for an empty one, and leaves at the end', async () => {
    const { input, person } = seat();
    input.end(' hello \n\n');
    expect([await person.message('s'), await person.message('s'), await person.message('s')]).toEqual(['hello', 's', undefined]);
  });
});
