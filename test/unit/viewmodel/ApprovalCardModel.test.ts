import { ApprovalDecision, ApprovalKind, SiblingStatus, ToolCall, ToolEffect, ToolRiskLevel, type ToolContract } from 'agent_core';
import { describe, expect, it } from 'vitest';
import { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { DecisionText } from '../../../entry/src/main/ets/viewmodel/DecisionText.ets';
import { RiskColor } from '../../../entry/src/main/ets/viewmodel/RiskLabel.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { T0, batchOf, item } from './fixtures';

const NOW = T0 + 60_000;

function tools(language = 'en', contract?: ToolContract) {
  const captions = new ToolCaptions();
  if (contract !== undefined) captions.add('clear_baking_cache', contract);
  return { words: new Words(language), captions, times: new LocalTimeText() };
}

function card(change = {}, language = 'en', contract?: ToolContract) {
  const one = item(change);
  return new ApprovalCardModel(batchOf([one]), one, tools(language, contract), NOW);
}

const sentence = (say: (confirm: string) => string): ToolContract =>
  ({ describer: { describe: (args) => say(args.getString('confirm') ?? '') } });

describe('ApprovalCardModel', () => {
  it('takes its sentence from the call, in the language of the person', () => {
    expect(card({}, 'en', sentence((confirm) => `Delete all (${confirm})?`)).sentence).toBe('Delete all (yes)?');
  });

  it('without a sentence, or with a faulty one, asks with the title of the tool', () => {
    expect(card({}, 'en', { title: 'Clear the cache' }).sentence).toBe('Run the tool Clear the cache?');
    expect(card({}, 'zh-CN').sentence).toBe('运行工具 clear_baking_cache？');
    expect(card({}, 'en', sentence(() => { throw new Error('x'); })).sentence).toBe('Run the tool clear_baking_cache?');
    expect(card({}, 'en', sentence(() => '  ')).sentence).toBe('Run the tool clear_baking_cache?');
  });

  it('shows risk as icon, word and colour; only the dangerous one needs a deliberate gesture', () => {
    const dangerous = card();
    const sensitive = card({ riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible });
    const safe = card({ riskLevel: ToolRiskLevel.safe, effect: ToolEffect.none });
    expect([dangerous, sensitive, safe].map((one) => one.riskText)).toEqual(['▲ Cannot be undone', '△ Reversible change', '○ Reads only']);
    expect([dangerous, sensitive, safe].map((one) => one.risk.deliberate)).toEqual([true, false, false]);
    expect(dangerous.risk.color).toBe(RiskColor.danger);
    expect(card({ riskLevel: 'unheard-of' }).risk.deliberate).toBe(true);
  });

  it('says why it is asked: known reasons in the person\'s language, others quoted, warnings after them', () => {
    expect(card({}, 'zh').why).toEqual(['它的影响无法恢复；这类工具总是先询问。']);
    expect(card({ reason: 'night rule\u202e', warnings: ['oven is hot'] }).why).toEqual(['\u2068night rule\\u202e\u2069', '\u2068oven is hot\u2069']);
  });

  it('says who asks, since when and until when', () => {
    expect(card().who).toBe('the baking assistant');
    expect(card({ origin: ['main', 'cleaner'] }).who).toBe('\u2068main / cleaner\u2069');
    expect(card().since).toBe('14:05');
    expect(card().until).toBe('');
    expect(card({ expiresAtMs: T0 + 86_400_000 }).until).toBe('2026-12-01 14:05');
  });

  it('lists every argument as JSON, folds long ones and keeps the whole text', () => {
    const long = 'a'.repeat(400);
    const rows = card({ toolCall: new ToolCall('c', 'clear_baking_cache', JSON.stringify({ n: 1, s: '1', long, o: { k: [true, null] } }), 0) }).rows;
    expect(rows.map((row) => row.name)).toEqual(['n', 's', 'long', 'o']);
    expect(rows.map((row) => row.value)).toEqual(['1', '"1"', `"${long}"`, '{"k":[true,null]}']);
    expect(rows[2].isLong).toBe(true);
    expect(rows[2].folded.length).toBeLessThan(170);
  });

  it('shows hidden characters in names and values, and unreadable arguments as they are', () => {
    const odd = card({ toolCall: new ToolCall('c', 'clear_baking_cache', '{"pa\\u200bth":"a\\u202eb\\u001b[2J"}', 0) });
    expect(odd.rows[0].name).toBe('pa\\u200bth');
    expect(odd.rows[0].value).not.toMatch(/[\u001b\u202e]/);
    const broken = card({ toolCall: new ToolCall('c', 'clear_baking_cache', '{"a":', 0) });
    expect(broken.rows.map((row) => row.value)).toEqual(['{"a":']);
    expect(card({ toolCall: new ToolCall('c', 'clear_baking_cache', '', 0) }).rows).toEqual([]);
  });

  it('an edit starts from text that is safe to draw and means the same', () => {
    const { argumentsJson } = card({ toolCall: new ToolCall('c', 'clear_baking_cache', '{ "confirm" :\n "a\u009b\u202e😀" }', 0) });
    expect(argumentsJson).toBe('{"confirm":"a\\u009b\\u202e😀"}');
    expect(JSON.parse(argumentsJson)).toEqual({ confirm: 'a\u009b\u202e😀' });
    expect(card({ toolCall: new ToolCall('c', 'clear_baking_cache', '', 0) }).argumentsJson).toBe('{}');
  });

  it('puts edited values beside the proposed ones', () => {
    const rows = card({
      toolCall: new ToolCall('c', 'clear_baking_cache', '{"confirm":"one","keep":1}', 0),
      proposedCall: new ToolCall('c', 'clear_baking_cache', '{"confirm":"yes","gone":2,"keep":1.0}', 0),
    }).rows;
    expect(rows.map((row) => [row.name, row.value, row.proposed])).toEqual([
      ['confirm', '"one"', '"yes"'], ['keep', '1', undefined], ['gone', '(not set)', '2'],
    ]);
  });

  it('names the rest of the batch, one line each', () => {
    const one = item();
    const siblings = [
      { position: 1, toolName: 'read_baking_records', status: SiblingStatus.willRun },
      { position: 2, toolName: 'wipe_disk', status: SiblingStatus.refused, reason: 'no such tool' },
    ];
    const lines = new ApprovalCardModel(batchOf([one], siblings), one, tools(), NOW).siblings;
    expect(lines).toEqual(['read_baking_records: will run after your decision', 'wipe_disk: already refused: \u2068no such tool\u2069']);
  });

  it('a retry card says that it may have happened, what is known and what repeating would do', () => {
    const retry = card({ kind: ApprovalKind.retry });
    expect(retry.isRetry).toBe(true);
    expect(retry.sentence).toBe('Repeat clear_baking_cache?');
    expect(retry.notes.join(' ')).toMatch(/may already have happened.*no result was stored.*second effect that cannot be undone/);
    expect(card({ kind: ApprovalKind.retry, effect: ToolEffect.reversible }).notes[2]).toBe('Repeating may make the change a second time.');
    expect(card({ predecessorUnknown: true }).notes).toHaveLength(1);
    expect(card().notes).toEqual([]);
  });

  it.each([['policy'], ['grant:g1']])('makes a card per open question and numbers them, without what %s answered', (automatic) => {
    const items = [0, 1, 2].map((position) => item({
      position, approvalId: `b-1:${position}:0`, decision: position === 1 ? ApprovalDecision.approved : ApprovalDecision.pending,
      ...(position === 1 ? { decidedBy: automatic } : {}),
    }));
    const cards = ApprovalCardModel.openOnes(batchOf(items), tools(), NOW);
    expect(cards.map((one) => [one.approvalId, one.progress])).toEqual([['b-1:0:0', 'Question 1 of 2'], ['b-1:2:0', 'Question 2 of 2']]);
    expect(card().progress).toBe('');
  });
});

describe('DecisionText', () => {
  const captions = new ToolCaptions().add('clear_baking_cache', { title: 'Clear the cache' });
  const text = (one: ReturnType<typeof item>, language = 'en'): string => DecisionText.of(one, captions, new Words(language));

  it('says what was decided, by whom and why', () => {
    expect(text(item().approved('person', T0))).toBe('Clear the cache: approved, by you');
    expect(text(item().denied('expiry', T0))).toBe('Clear the cache: denied, by the time limit');
    expect(text(item().approved('grant:g-17', T0))).toBe('Clear the cache: approved, by an earlier yes that was remembered');
    expect(text(item().approved('grant:g-17', T0), 'zh')).toBe('Clear the cache: 已批准，由已记住的许可决定');
    expect(text(item().denied('ann', T0, 'keep\u0007it'))).toBe('Clear the cache: denied, by \u2068ann\u2069, reason: \u2068keep\\u0007it\u2069');
    expect(text(item({ proposedCall: new ToolCall('c1', 'clear_baking_cache', '{}', 0) }).approved('person', T0), 'zh'))
      .toBe('Clear the cache: 修改后批准，由你决定');
  });
});
