/** Lets the hooks of calls that run beside each other be asked one after another, in the order of their arrival. */
export class HookLane {
  private queued: number = 0;
  private tail: Promise<void> | undefined = undefined;

  /** Runs `work` when everything that came before has ended, however it ended; at once when nothing has. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result: Promise<T> = this.queued === 0 || this.tail === undefined ? work() : this.tail.then(work);
    this.queued++;
    this.tail = result.then((value: T): void => this.left(), (e: Error): void => this.left());
    return result;
  }

  private left(): void {
    this.queued--;
  }
}
