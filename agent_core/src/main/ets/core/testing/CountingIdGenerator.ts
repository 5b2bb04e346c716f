import { IdGenerator } from '../port/IdGenerator';

/** Ids that count: `prefix-1`, `prefix-2`, … */
export class CountingIdGenerator implements IdGenerator {
  private readonly prefix: string;
  private count: number = 0;

  constructor(prefix: string = 'id') {
    this.prefix = prefix;
  }

  nextId(): string {
    this.count++;
    return `${this.prefix}-${this.count}`;
  }
}
