/** Runs what concerns one session one after the other, in the order of asking; sessions do not wait for each other. */
export class SessionQueue {
  private readonly tails: Map<string, Promise<void>> = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before: Promise<void> | undefined = this.tails.get(key);
    let finish: () => void = () => {
    };
    const mine: Promise<void> = new Promise<void>((resolve: () => void): void => {
      finish = resolve;
    });
    this.tails.set(key, mine);
    try {
      if (before !== undefined) {
        await before;
      }
      return await task();
    } finally {
      finish();
      if (this.tails.get(key) === mine) {
        this.tails.delete(key);
      }
    }
  }

  /** Resolves when everything asked for so far is done. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.tails.values()));
  }
}
