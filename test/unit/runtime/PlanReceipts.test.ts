import { describe, expect, it } from 'vitest';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { PlanReceipts } from '@core/runtime/consent/PlanReceipts';
import type { SliceAccess } from '@core/state/SliceAccess';
import { StateSlice } from '@core/state/StateSlice';
import { TestDigest } from '@core/testing/TestDigest';

class Slices implements SliceAccess {
  readonly map = new Map<string, StateSlice>();
  getSlice(name: string): StateSlice | undefined { return this.map.get(name); }
  putSlice(name: string, slice: StateSlice | undefined): void { if (slice !== undefined) this.map.set(name, slice); }
}

const bookOf = (slices = new Slices()): PlanReceipts => new PlanReceipts(slices, new TestDigest());
const { approve, reject, revise } = { approve: PlanReviewDecision.approve(), reject: PlanReviewDecision.reject('no'), revise: PlanReviewDecision.revise('more') };

describe('DEC-49 what became of plans', () => {
  it('is known by the plan, also to a later process', () => {
    const slices = new Slices();
    const book = bookOf(slices);
    book.decided('p1', 'r1', approve);
    book.decided('p2', 'r1', revise);
    book.closed('p3', 'r2', 'cancel');
    const later = bookOf(slices);
    expect(['p1', 'p2', 'p3'].map((id) => { const one = later.find(id, 'any'); return `${one?.reviewId} ${one?.runId} ${one?.action} ${one?.textDigest !== ''} ${one?.closedBy}`; })).toEqual(['p1 r1 approve false ', 'p2 r1 revise true ', 'p3 r2 undefined false cancel']);
    expect(later.find('p9', 'r1')).toBeUndefined();
  });

  it('without a name it is the newest plan, and only of that run', () => {
    const book = bookOf();
    expect(book.find(undefined, 'r1')).toBeUndefined();
    book.decided('p1', 'r1', approve);
    book.decided('p2', 'r2', approve);
    expect([book.find(undefined, 'r2')?.reviewId, book.find(undefined, 'r1')]).toEqual(['p2', undefined]);
  });

  it('a decision is the same when the action is, and of a revision the text; a reason may differ, and so may blanks around it', () => {
    const book = bookOf();
    book.decided('a', 'r', approve);
    book.decided('b', 'r', reject);
    book.decided('c', 'r', revise);
    const same = (id: string, decision: PlanReviewDecision): boolean => { const receipt = book.find(id, 'r'); return receipt !== undefined && book.isSame(receipt, decision); };
    expect([same('a', approve), same('a', reject), same('b', PlanReviewDecision.reject('other words')), same('c', revise), same('c', PlanReviewDecision.revise(' more\n')), same('c', PlanReviewDecision.revise('less')), same('c', approve)]).toEqual([true, false, true, true, true, false, false]);
  });

  it('the last 32 are kept', () => {
    const book = bookOf();
    for (let i = 0; i < 33; i++) book.closed(`p${i}`, 'r', 'cancel');
    expect([book.find('p0', 'r'), book.find('p1', 'r')?.reviewId, book.find(undefined, 'r')?.reviewId]).toEqual([undefined, 'p1', 'p32']);
  });

  it('what is stored holds only what there is, and what cannot be read is closed without a decision', () => {
    const slices = new Slices();
    bookOf(slices).decided('p1', 'r1', reject);
    const stored = slices.map.get(PlanReceipts.SLICE)?.json.getArray('receipts')?.[0].asObject();
    expect([stored?.getString('action'), stored?.has('textDigest'), stored?.has('closedBy')]).toEqual(['reject', false, false]);
    slices.map.set(PlanReceipts.SLICE, new StateSlice(1, new JsonObject().setArray('receipts', [new JsonObject(), new JsonObject().setString('reviewId', 'p'), new JsonObject().setString('reviewId', 'q').setString('action', 'burn')].map((one) => JsonValue.object(one)))));
    expect([bookOf(slices).find('p', ''), bookOf(slices).find('q', '')?.action]).toEqual([{ reviewId: 'p', runId: '', action: undefined, textDigest: '', closedBy: '' }, undefined]);
  });
});
