/** Takes Ctrl-C. What it means depends on what is going on; the owner says so with `on`. */
export class Interrupts {
  private listener: (() => void) | undefined;
  private readonly heard = (): void => this.listener?.();

  constructor() {
    process.on('SIGINT', this.heard);
  }

  /** @param listener called for every Ctrl-C until the next `on` */
  on(listener: () => void): void {
    this.listener = listener;
  }

  close(): void {
    process.off('SIGINT', this.heard);
  }
}
