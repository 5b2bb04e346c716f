import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalKind } from '@core/approval/ApprovalModes';
import { GrantScope, type GrantRules, type RememberRequest } from '@core/approval/ApprovalGrant';
import { PendingApprovalItem, type PendingApprovalItemInit } from '@core/approval/PendingApprovalItem';
import type { SliceAccess } from '@core/state/SliceAccess';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { EffectiveClock } from '@core/runtime/store/EffectiveClock';
import { GrantBook, type GrantQuestion } from '@core/runtime/consent/GrantBook';
import { RefusedCalls } from '@core/runtime/consent/RefusedCalls';
import type { SessionStore } from '@core/runtime/store/SessionStore';
import { SliceList } from '@core/runtime/store/SliceList';
import { UnknownEffects } from '@core/runtime/ledger/UnknownEffects';
import { CallResult } from '@core/state/CallResult';
import { CallStatus } from '@core/state/OpenCall';
import { StateSlice } from '@core/state/StateSlice';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { ManualClock } from '@core/testing/ManualClock';
import { ToolEffect } from '@core/tool/ToolContract';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';
import { call, open } from './support';

/** Slices in memory that count how often they are written. */
class Slices implements SliceAccess {
  readonly map = new Map<string, StateSlice>();
  writes = 0;

  getSlice(name: string): StateSlice | undefined {
    return this.map.get(name);
  }

  putSlice(name: string, slice: StateSlice | undefined): void {
    this.writes++;
    if (slice === undefined) this.map.delete(name);
    else this.map.set(name, slice);
  }
}

describe('a list in a slice', () => {
  const listIn = (slices: Slices, reads: { count: number } = { count: 0 }): SliceList<string> => new SliceList<string>(slices, 'name', 'items',
    (json) => { reads.count++; return json.getString('v'); }, (item) => new JsonObject().setString('v', item));

  it('gives back what was set, also to another reader, and reads a stored slice once', () => {
    const slices = new Slices();
    listIn(slices).set(['a', 'b']);
    expect([slices.map.get('name')?.version, listIn(slices).get()]).toEqual([1, ['a', 'b']]);
    const reads = { count: 0 };
    const reader = listIn(slices, reads);
    expect([reader.get(), reader.get(), reads.count]).toEqual([['a', 'b'], ['a', 'b'], 2]);
    listIn(slices).set(['c']);
    expect([reader.get(), reads.count]).toEqual([['c'], 3]);
    const writer = listIn(slices, reads);
    const given = ['d'];
    writer.set(given);
    given.push('e');
    expect([writer.get(), reads.count]).toEqual([['d'], 3]);
  });

  it('an empty list is no slice, and what is not there is not written', () => {
    const slices = new Slices();
    const list = listIn(slices);
    list.set([]);
    expect([list.get(), slices.writes]).toEqual([[], 0]);
    list.set(['a']);
    list.set([]);
    expect([list.get(), slices.map.size, slices.writes]).toEqual([[], 0, 2]);
  });

  it('what cannot be read counts as absent: another version, no list, no object, no item', () => {
    const read = (version: number, json: JsonObject): ReadonlyArray<string> => {
      const slices = new Slices();
      slices.map.set('name', new StateSlice(version, json));
      return listIn(slices).get();
    };
    const item = (text: string): JsonValue => JsonValue.object(new JsonObject().setString('v', text));
    expect(read(2, new JsonObject().setArray('items', [item('a')]))).toEqual([]);
    expect(read(1, new JsonObject())).toEqual([]);
    expect(read(1, new JsonObject().setArray('items', [JsonValue.string('x'), item('a'), JsonValue.object(new JsonObject()), item('b')]))).toEqual(['a', 'b']);
  });
});

describe('S9 effects of unknown outcome', () => {
  const unknown = (position: number, digest: string | undefined, late = false): ReturnType<typeof open> =>
    open(position, CallStatus.unknown, { digest, lateResult: late ? CallResult.of(ToolCallStatus.ok, '', ToolResult.text('x'), 0) : undefined });
  const names = (effects: UnknownEffects): string[] => effects.list().map((one) => `${one.batchId}:${one.position} ${one.toolName} ${one.digest}`);

  it('are those of a batch that nobody knows anything of, and outlive it', () => {
    const slices = new Slices();
    const effects = new UnknownEffects(slices);
    effects.collect('b', [open(0, CallStatus.finished, { digest: 'd0' }), unknown(1, 'd1'), unknown(2, undefined), unknown(3, 'd3', true), unknown(4, 'd4')]);
    expect(names(effects)).toEqual(['b:1 pay d1', 'b:4 pay d4']);
    expect(names(new UnknownEffects(slices))).toEqual(['b:1 pay d1', 'b:4 pay d4']);
    const before = slices.writes;
    effects.collect('c', [open(0, CallStatus.finished, { digest: 'd0' })]);
    expect(slices.writes).toBe(before);
  });

  it('are known by tool and digest, which is made only when it matters', () => {
    const effects = new UnknownEffects(new Slices());
    let made = 0;
    const digest = (value: string | undefined) => (): string | undefined => { made++; return value; };
    effects.begun({ batchId: 'b', position: 0, toolName: 'pay', digest: 'd' });
    expect([effects.has('pay', digest('d')), effects.has('pay', digest('e')), effects.has('pay', digest(undefined)), made]).toEqual([true, false, false, 3]);
    expect([effects.has('other', digest('d')), made]).toEqual([false, 3]);
  });

  it('the oldest go when there are more than 200', () => {
    const effects = new UnknownEffects(new Slices());
    for (let i = 0; i < 201; i++) effects.begun({ batchId: 'b', position: i, toolName: 'pay', digest: `d${i}` });
    expect([effects.list().length, effects.list()[0].position]).toEqual([200, 1]);
    effects.collect('c', [unknown(0, 'new'), unknown(1, 'newer')]);
    expect([effects.list().length, effects.list()[0].position, effects.list().at(-1)?.digest]).toEqual([200, 3, 'newer']);
  });

  it('are settled one by one, and by nothing else', () => {
    const slices = new Slices();
    const effects = new UnknownEffects(slices);
    effects.collect('b', [unknown(0, 'd'), unknown(1, 'd')]);
    effects.collect('c', [unknown(0, 'd')]);
    const before = slices.writes;
    effects.settle('c', 1);
    expect([names(effects).length, slices.writes]).toEqual([3, before]);
    effects.settle('b', 0);
    expect(names(effects)).toEqual(['b:1 pay d', 'c:0 pay d']);
  });

  it('a person who lets one be made again releases all of its kind, and can take that back', () => {
    const slices = new Slices();
    const effects = new UnknownEffects(slices);
    effects.collect('b', [unknown(0, 'd'), unknown(1, 'e'), unknown(2, 'd')]);
    const back = effects.release('pay', 'd');
    expect(names(effects)).toEqual(['b:1 pay e']);
    back();
    expect(names(effects)).toEqual(['b:1 pay e', 'b:0 pay d', 'b:2 pay d']);
    const before = slices.writes;
    effects.release('other', 'd')();
    effects.release('pay', 'x')();
    expect([names(effects).length, slices.writes]).toEqual([3, before]);
  });

  it('a stored one without a tool or a digest is none; without a place it has the first', () => {
    const slices = new Slices();
    const stored = (json: JsonObject): JsonValue => JsonValue.object(json);
    slices.map.set(UnknownEffects.SLICE, new StateSlice(1, new JsonObject().setArray('effects', [
      stored(new JsonObject().setString('toolName', 'a')), stored(new JsonObject().setString('digest', 'd')), stored(new JsonObject().setString('toolName', 'a').setString('digest', 'd')),
    ])));
    expect(new UnknownEffects(slices).list()).toEqual([{ batchId: '', position: 0, toolName: 'a', digest: 'd' }]);
  });
});

describe('S10 calls that a person refused', () => {
  const bookOf = (slices: Slices, runId: string | undefined): RefusedCalls => new RefusedCalls({ draft: { run: runId === undefined ? undefined : { runId } } } as unknown as SessionStore, slices);
  const is = (digest: string) => (): string => digest;
  const stored = (slices: Slices): string[] => (slices.map.get(RefusedCalls.SLICE)?.json.getArray('calls') ?? []).map((one) => `${one.asObject()?.getString('runId')} ${one.asObject()?.getString('toolName')} ${one.asObject()?.getString('digest')}`);

  it('count in their run, for their tool and their arguments', () => {
    const slices = new Slices();
    bookOf(slices, 'r1').add('pay', 'd');
    expect([bookOf(slices, 'r1').has('pay', is('d')), bookOf(slices, 'r1').has('pay', is('e')), bookOf(slices, 'r1').has('send', is('d')), bookOf(slices, 'r2').has('pay', is('d'))]).toEqual([true, false, false, false]);
    bookOf(slices, 'r1').add('pay', 'd');
    expect(stored(slices)).toEqual(['r1 pay d']);
    bookOf(slices, 'r2').add('send', 'e');
    expect(stored(slices), 'what another run refused goes').toEqual(['r2 send e']);
  });

  it('one that did not come to be goes, and no other', () => {
    const slices = new Slices();
    for (const [name, digest] of [['pay', 'd'], ['pay', 'e'], ['send', 'd']] as const) bookOf(slices, 'r1').add(name, digest);
    bookOf(slices, 'r1').remove('pay', 'd');
    expect(stored(slices)).toEqual(['r1 pay e', 'r1 send d']);
  });

  it('a new run forgets them, but not what was refused above it', () => {
    const above = new Slices();
    bookOf(above, 'r1').add('pay', 'd');
    bookOf(above, 'r1').add('send', 'e');
    const child = new Slices();
    RefusedCalls.handDown(above, 'r1', child);
    expect(stored(child)).toEqual(['above pay d', 'above send e']);
    bookOf(child, 'c1').add('note', 'f');
    expect(bookOf(child, 'c2').has('pay', is('d'))).toBe(true);
    bookOf(child, 'c1').clear();
    expect(stored(child)).toEqual(['above pay d', 'above send e']);
    RefusedCalls.handDown(above, 'r2', child);
    expect(stored(child), 'another run has refused nothing').toEqual([]);
    const none = new Slices();
    bookOf(none, 'r1').clear();
    expect(none.writes).toBe(0);
  });

  it('what a session below refused is handed up to the run that it worked for', () => {
    const child = new Slices();
    bookOf(child, 'c1').add('pay', 'd');
    const parent = new Slices();
    bookOf(parent, 'r1').add('send', 'e');
    RefusedCalls.handUp(child, 'c1', parent, 'r1');
    expect(stored(parent)).toEqual(['r1 send e', 'r1 pay d']);
    const before = parent.writes;
    RefusedCalls.handUp(child, 'c2', parent, 'r1');
    expect(parent.writes).toBe(before);
  });

  it('outside of any run they count there, and a stored one that lacks something is none', () => {
    const slices = new Slices();
    bookOf(slices, undefined).add('pay', 'd');
    expect([stored(slices), bookOf(slices, undefined).has('pay', is('d'))]).toEqual([[' pay d'], true]);
    const broken = new Slices();
    const whole = { runId: 'r', toolName: 't', digest: 'd' };
    broken.map.set(RefusedCalls.SLICE, new StateSlice(1, new JsonObject().setArray('calls', Object.keys(whole).map((left) => {
      const json = new JsonObject();
      for (const [key, value] of Object.entries(whole)) if (key !== left) json.setString(key, value);
      return JsonValue.object(json);
    }))));
    expect(['', 'r'].flatMap((run) => ['', 't'].flatMap((name) => ['', 'd'].map((digest) => bookOf(broken, run).has(name, is(digest)))))).toEqual(Array(8).fill(false));
    expect(bookOf(broken, 'r').has('t', () => undefined), 'a call without a digest is not the one without a digest').toBe(false);
  });
});

describe('DEC-46 remembered grants', () => {
  const NOW = 1000;
  const asked = (over: Partial<PendingApprovalItemInit> = {}): PendingApprovalItem => new PendingApprovalItem({
    approvalId: 'a', position: 0, round: 0, kind: ApprovalKind.call, toolCall: call(0), riskLevel: ToolRiskLevel.sensitive, effect: ToolEffect.reversible, reason: '', createdAtMs: 1, decision: ApprovalDecision.approved, warnings: [], origin: [],
    digest: 'd', definitionHash: 'h', ...over,
  });
  const bookOf = (rules: GrantRules = {}): { book: GrantBook; clock: ManualClock; slices: Slices } => {
    const clock = new ManualClock(NOW);
    const slices = new Slices();
    return { book: new GrantBook(slices, new EffectiveClock(clock), new CountingIdGenerator('g'), rules), clock, slices };
  };
  const tool: RememberRequest = { scope: GrantScope.tool };
  const same: RememberRequest = { scope: GrantScope.arguments };
  const question = (over: Partial<GrantQuestion> = {}): GrantQuestion => ({ toolName: 'pay', riskLevel: ToolRiskLevel.sensitive, definitionHash: 'h', digest: () => 'd', ...over });
  const none = new Map<string, number>();

  it('keep what the yes was about, until when and how often', () => {
    const { book } = bookOf();
    expect(book.isEmpty).toBe(true);
    const id = book.add(asked(), { ...same, expiresInMs: 50, uses: 2 }, 'ada');
    expect(book.find(id)).toMatchObject({ grantId: id, toolName: 'pay', scope: 'arguments', definitionHash: 'h', digest: 'd', createdAtMs: NOW, expiresAtMs: NOW + 50, remainingUses: 2, grantedBy: 'ada' });
    expect(book.find(book.add(asked(), tool, 'ada'))).toMatchObject({ scope: 'tool', digest: undefined, expiresAtMs: undefined, remainingUses: undefined });
    expect([book.isEmpty, book.list().length, book.find('x')]).toEqual([false, 2, undefined]);
  });

  it.each<[string, Partial<PendingApprovalItemInit>, RememberRequest, GrantRules, string]>([
    ['a scope that is none', {}, { scope: 'all' as GrantScope }, {}, 'scope must be tool or arguments'],
    ['no use at all', {}, { ...tool, uses: 0 }, {}, 'uses and expiresInMs must be whole numbers above 0'],
    ['half a use', {}, { ...tool, uses: 1.5 }, {}, 'uses and expiresInMs must be whole numbers above 0'],
    ['a time that is over', {}, { ...tool, expiresInMs: 0 }, {}, 'uses and expiresInMs must be whole numbers above 0'],
    ['a repetition', { kind: ApprovalKind.retry }, tool, {}, 'a yes to a repetition holds once'],
    ['a dangerous tool', { riskLevel: ToolRiskLevel.dangerous }, tool, {}, 'a yes to a dangerous tool is not remembered'],
    ['a call without definition', { definitionHash: undefined }, tool, {}, 'the call cannot be recognised again'],
    ['a call without digest', { digest: undefined }, tool, {}, 'the call cannot be recognised again'],
    ['room for none', {}, tool, { maxGrants: 0 }, 'the session keeps at most 0 grants; revoke one first'],
    ['nothing wrong', {}, same, {}, ''],
    ['a dangerous tool where that is agreed', { riskLevel: ToolRiskLevel.dangerous }, tool, { allowDangerous: true }, ''],
    ['one use, one millisecond', {}, { ...tool, uses: 1, expiresInMs: 1 }, {}, ''],
  ])('a yes is not remembered for a reason: %s', (_name, over, wish, rules, why) => {
    expect(bookOf(rules).book.refusal(asked(over), wish)).toBe(why);
  });

  it('there is room for one hundred, and for one more when one is over', () => {
    const { book, clock } = bookOf();
    for (let i = 0; i < 99; i++) book.add(asked(), tool, 'ada');
    expect(book.refusal(asked(), tool)).toBe('');
    book.add(asked(), { ...tool, expiresInMs: 10 }, 'ada');
    expect(book.refusal(asked(), tool)).toBe('the session keeps at most 100 grants; revoke one first');
    clock.advance(10);
    expect([book.refusal(asked(), tool), book.list().length]).toEqual(['', 99]);
  });

  it('match a call of the tool, its definition and, where agreed, its arguments', () => {
    const { book } = bookOf();
    const wide = book.add(asked(), tool, 'ada');
    expect(book.match(question({ digest: () => { throw new Error('not needed'); } }), none)?.grantId).toBe(wide);
    expect([book.match(question({ toolName: 'send' }), none), book.match(question({ definitionHash: 'other' }), none), book.match(question({ riskLevel: ToolRiskLevel.dangerous }), none)]).toEqual([undefined, undefined, undefined]);
    const narrow = bookOf({ allowDangerous: true }).book;
    const id = narrow.add(asked(), same, 'ada');
    expect([narrow.match(question({ riskLevel: ToolRiskLevel.dangerous }), none)?.grantId, narrow.match(question({ digest: () => 'e' }), none), narrow.match(question({ digest: () => undefined }), none)]).toEqual([id, undefined, undefined]);
    expect(bookOf().book.match(question(), none)).toBeUndefined();
  });

  it('one without a limit is taken before one that is used up by it, and uses that others count on are gone', () => {
    const { book } = bookOf();
    const limited = book.add(asked(), { ...tool, uses: 2 }, 'ada');
    expect([book.match(question(), new Map([[limited, 1]]))?.grantId, book.match(question(), new Map([[limited, 2]]))]).toEqual([limited, undefined]);
    const free = book.add(asked(), tool, 'ada');
    expect(book.match(question(), none)?.grantId).toBe(free);
  });

  it('uses count down, come back, and end the grant', () => {
    const { book, slices } = bookOf();
    const other = book.add(asked(), { ...tool, uses: 5 }, 'ada');
    const id = book.add(asked(), { ...tool, uses: 1 }, 'ada');
    expect([book.use(id), book.use(id), book.find(id), book.find(other)?.remainingUses]).toEqual([true, false, undefined, 5]);
    book.giveBack(id);
    expect([book.find(id)?.remainingUses, book.find(other)?.remainingUses]).toEqual([1, 5]);
    const free = book.add(asked(), tool, 'ada');
    const before = slices.writes;
    expect([book.use(free), book.use('x'), slices.writes]).toEqual([true, false, before]);
    book.giveBack('x');
    expect(slices.writes).toBe(before);
  });

  it('one that is used up is kept until it is revoked or another comes', () => {
    const { book } = bookOf();
    const id = book.add(asked(), { ...tool, uses: 1 }, 'ada');
    book.use(id);
    expect([book.find(id), book.isKept(id), book.isKept('x')]).toEqual([undefined, true, false]);
    book.remove(id);
    expect(book.isKept(id)).toBe(false);
  });

  it('are removed once; what is over goes with the next that comes', () => {
    const { book, clock, slices } = bookOf();
    const first = book.add(asked(), { ...tool, expiresInMs: 5 }, 'ada');
    const second = book.add(asked(), tool, 'ada');
    clock.advance(5);
    expect(book.list().map((one) => one.grantId)).toEqual([second]);
    book.add(asked(), tool, 'ada');
    expect(book.remove(first), 'it went').toBe(false);
    const before = slices.writes;
    expect([book.remove('x'), slices.writes]).toEqual([false, before]);
    expect([book.remove(second), book.list().length, book.remove(second)]).toEqual([true, 1, false]);
  });
});
