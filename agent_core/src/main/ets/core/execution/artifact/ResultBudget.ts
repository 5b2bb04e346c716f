import { CallResult } from '../../state/CallResult';

/** Left for each call that is still to answer, at least, as long as there is enough. */
const RESERVE: number = 2000;

/** How much result text the calls of one batch may bring into the conversation; UTF-16 code units. */
export class ResultBudget {
  private left: number;
  private calls: number;
  private readonly reserve: number;

  /** @param max for the whole batch @param calls how many will answer */
  constructor(max: number, calls: number) {
    this.left = max;
    this.calls = calls;
    this.reserve = Math.min(RESERVE, Math.floor(max / Math.max(1, calls)));
  }

  /** For a batch of which some calls may have answered already. */
  static of(max: number, answers: ReadonlyArray<CallResult | undefined>): ResultBudget {
    const budget: ResultBudget = new ResultBudget(max, answers.length);
    for (const answer of answers) {
      if (answer !== undefined) {
        budget.spend(answer.toToolResult().text().length);
      }
    }
    return budget;
  }

  /** For a call outside of a batch. */
  static unlimited(): ResultBudget {
    return new ResultBudget(Number.MAX_SAFE_INTEGER, 1);
  }

  /** What the next call may use: what is left, less what the later ones need. */
  allowance(own: number): number {
    return Math.max(0, Math.min(own, this.left - this.reserve * Math.max(0, this.calls - 1)));
  }

  /** A call has answered with so much text. */
  spend(chars: number): void {
    this.left = Math.max(0, this.left - chars);
    this.calls = Math.max(0, this.calls - 1);
  }
}
