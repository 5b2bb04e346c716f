/** A value with the way that led to it. */
interface Step {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

/** Objects of one class whose methods are tried; more of the same kind show nothing new. */
const TRIED_PER_CLASS = 4;
const MAX_DEPTH = 14;
const MAX_VALUES = 60_000;

const isThing = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';
const nameOf = (value: object): string => {
  try {
    const made = (value as { constructor?: { name?: string } }).constructor?.name;
    return typeof made === 'string' && made !== '' ? made : 'object';
  } catch {
    return 'object';
  }
};

/**
 * Walks over everything that code with the given objects in its hands can come to: fields, private ones included, entries of
 * collections, accessors, statics, and what functions and methods answer to harmless arguments.
 */
export class SurfaceWalk {
  /** Ways to a value that nobody should come to. */
  readonly holes: string[] = [];
  readonly calledMethods = new Set<string>();
  visited = 0;
  private readonly seen = new Set<object>();
  private readonly tried = new Map<string, number>();
  private queue: Step[] = [];

  /**
   * @param forbidden says what a value is, when nobody should come to it
   * @param stops values that are the caller's own and are not entered
   * @param argumentSets what functions are tried with
   */
  constructor(private readonly forbidden: (value: object) => string | undefined, private readonly stops: ReadonlySet<object>, private readonly argumentSets: readonly (readonly unknown[])[]) {}

  async run(roots: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(roots)) this.add(value, name, 0);
    // Fields first, everywhere: a call may close or change what would have been found.
    const all: Step[] = [];
    for (let step = this.queue.shift(); step !== undefined && all.length < MAX_VALUES; step = this.queue.shift()) {
      all.push(step);
      this.fields(step);
    }
    this.queue = all;
    for (let step = this.queue.shift(); step !== undefined && this.visited < MAX_VALUES; step = this.queue.shift()) {
      if (!all.includes(step)) this.fields(step);
      await this.methods(step);
    }
  }

  private add(value: unknown, path: string, depth: number): void {
    if (!isThing(value) || this.seen.has(value) || depth > MAX_DEPTH) return;
    const what = this.forbidden(value);
    if (what !== undefined) {
      this.seen.add(value);
      this.holes.push(`${what}: ${path}`);
      return;
    }
    if (this.stops.has(value) || value === Object.prototype || value === Function.prototype) return;
    this.seen.add(value);
    this.visited += 1;
    this.queue.push({ value, path, depth });
  }

  private fields({ value, path, depth }: Step): void {
    for (let owner: object | null = value; owner !== null && owner !== Object.prototype && owner !== Function.prototype; owner = Object.getPrototypeOf(owner)) {
      for (const key of Reflect.ownKeys(owner)) {
        const property = Object.getOwnPropertyDescriptor(owner, key)!;
        if (property.get !== undefined) this.attempt(() => this.add(property.get!.call(value), `${path}.${String(key)}`, depth + 1));
        else if (owner === value || typeof property.value !== 'function') this.add(property.value, `${path}.${String(key)}`, depth + 1);
      }
    }
    if (value instanceof Map || value instanceof Set) {
      let index = 0;
      for (const [key, entry] of value.entries()) {
        this.add(key, `${path}<key ${index}>`, depth + 1);
        this.add(entry, `${path}<${index}>`, depth + 1);
        index += 1;
      }
    }
  }

  private async methods({ value, path, depth }: Step): Promise<void> {
    if (typeof value === 'function') {
      await this.callOwn(value as (...args: unknown[]) => unknown, path, depth);
      return;
    }
    const kind = nameOf(value);
    const times = this.tried.get(kind) ?? 0;
    if (times >= TRIED_PER_CLASS || value instanceof Promise || ArrayBuffer.isView(value) || ['Array', 'Map', 'Set', 'Date', 'RegExp'].includes(kind)) return;
    this.tried.set(kind, times + 1);
    for (let owner: object | null = value; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
      for (const key of Reflect.ownKeys(owner)) {
        const method = Object.getOwnPropertyDescriptor(owner, key)?.value as unknown;
        if (typeof method !== 'function' || key === 'constructor') continue;
        this.calledMethods.add(`${kind}.${String(key)}`);
        for (const args of this.argumentSets) await this.follow(() => (method as (...all: unknown[]) => unknown).apply(value, [...args]), `${path}.${String(key)}()`, depth);
      }
    }
  }

  private async callOwn(made: (...args: unknown[]) => unknown, path: string, depth: number): Promise<void> {
    for (const args of this.argumentSets) {
      await this.follow(() => made(...args), `${path}()`, depth);
      await this.follow(() => new (made as unknown as new (...all: unknown[]) => object)(...args), `new ${path}`, depth);
    }
  }

  private async follow(call: () => unknown, path: string, depth: number): Promise<void> {
    try {
      const answer = call();
      this.add(answer, path, depth + 1);
      if (!(answer instanceof Promise)) return;
      const waited = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve))]);
      answer.catch(() => undefined);
      this.add(waited, `await ${path}`, depth + 1);
    } catch {
      // What a call refuses leads nowhere.
    }
  }

  private attempt(action: () => void): void {
    try {
      action();
    } catch {
      // As above.
    }
  }
}
