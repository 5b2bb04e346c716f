/** Called when the reader wants the source to stop for a while, and when it may go on. Must not throw; a throw is swallowed. */
export type FlowListener = (paused: boolean) => void;

/**
 * Read side of back-pressure: a source that can stop looks here, one that cannot ignores it.
 *
 * Contract: what is on its way when the signal turns may still arrive; the reader takes it. A source that is paused still ends
 * at once when it is cancelled.
 */
export interface FlowSignal {
  readonly paused: boolean;
  /** @returns removes the listener; may be called any number of times */
  onChange(listener: FlowListener): () => void;
}

class ControlledFlow implements FlowSignal {
  private isPaused: boolean = false;
  private listeners: FlowListener[] = [];

  get paused(): boolean {
    return this.isPaused;
  }

  onChange(listener: FlowListener): () => void {
    this.listeners.push(listener);
    return (): void => {
      this.listeners = this.listeners.filter((known: FlowListener) => known !== listener);
    };
  }

  turn(paused: boolean): void {
    if (this.isPaused === paused) {
      return;
    }
    this.isPaused = paused;
    for (const listener of this.listeners) {
      try {
        listener(paused);
      } catch (e) {
        // One source's fault must not keep the others from hearing it.
      }
    }
  }
}

/** Write side of back-pressure. Hand out `signal`, keep the controller. */
export class FlowController {
  private readonly own: ControlledFlow = new ControlledFlow();

  get signal(): FlowSignal {
    return this.own;
  }

  pause(): void {
    this.own.turn(true);
  }

  resume(): void {
    this.own.turn(false);
  }
}
