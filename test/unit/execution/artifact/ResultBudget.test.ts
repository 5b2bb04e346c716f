import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResultBudget } from '@core/execution/artifact/ResultBudget';

describe('the budget of a batch', () => {
  it('S14 gives the first what it may, and leaves something for the later ones', () => {
    const budget = new ResultBudget(24_000, 3);
    const given = [1, 2, 3].map(() => { const chars = budget.allowance(16_000); budget.spend(chars); return chars; });
    expect(given).toEqual([16_000, 6_000, 2_000]);
  });

  it('what a small result leaves is there for the next', () => {
    const budget = new ResultBudget(24_000, 2);
    budget.spend(100);
    expect(budget.allowance(16_000)).toBe(16_000);
  });

  it('never gives more than there is, whatever the calls take', () => {
    fc.assert(fc.property(fc.nat(50_000), fc.array(fc.nat(30_000), { minLength: 1, maxLength: 20 }), (max, wishes) => {
      const budget = new ResultBudget(max, wishes.length);
      let total = 0;
      for (const wish of wishes) {
        const chars = Math.min(wish, budget.allowance(16_000));
        expect(chars).toBeGreaterThanOrEqual(0);
        total += chars;
        budget.spend(chars);
      }
      expect(total).toBeLessThanOrEqual(max);
    }));
  });
});
