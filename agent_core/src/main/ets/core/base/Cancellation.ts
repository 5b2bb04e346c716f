/** Called once with the reason when a signal is cancelled. Must not throw; a throw is swallowed so that the others still hear it. */
export type CancellationListener = (reason: string) => void;

/** Read side of a cancellation: ask, or be told. */
export interface CancellationSignal {
  readonly cancelled: boolean;
  /** Why it was cancelled; empty while it is not. */
  readonly reason: string;
  /**
   * Registers a listener; a signal that is cancelled already calls it at once.
   * @returns removes the listener; may be called any number of times.
   */
  onCancelled(listener: CancellationListener): () => void;
}

class ControlledSignal implements CancellationSignal {
  private isCancelled: boolean = false;
  private cancelReason: string = '';
  private listeners: CancellationListener[] = [];

  get cancelled(): boolean {
    return this.isCancelled;
  }

  get reason(): string {
    return this.cancelReason;
  }

  onCancelled(listener: CancellationListener): () => void {
    if (this.isCancelled) {
      notifyListener(listener, this.cancelReason);
      return () => {
      };
    }
    this.listeners.push(listener);
    return () => {
      const at: number = this.listeners.indexOf(listener);
      if (at >= 0) {
        this.listeners.splice(at, 1);
      }
    };
  }

  fire(reason: string): boolean {
    if (this.isCancelled) {
      return false;
    }
    this.isCancelled = true;
    this.cancelReason = reason;
    const told: CancellationListener[] = this.listeners;
    this.listeners = [];
    for (const listener of told) {
      notifyListener(listener, reason);
    }
    return true;
  }
}

function notifyListener(listener: CancellationListener, reason: string): void {
  try {
    listener(reason);
  } catch (e) {
    // One listener's fault must not keep the cancellation from the others, and there is nobody to tell at this depth.
  }
}

class NeverSignal implements CancellationSignal {
  readonly cancelled: boolean = false;
  readonly reason: string = '';

  onCancelled(listener: CancellationListener): () => void {
    return () => {
    };
  }
}

/** Write side of a cancellation. Hand out `signal`, keep the controller. */
export class CancellationController {
  private readonly own: ControlledSignal = new ControlledSignal();
  private detach: () => void = () => {
  };

  /** A controller whose signal is also cancelled when the parent is. Call `dispose` when the work is over. */
  static derive(parent: CancellationSignal): CancellationController {
    const child: CancellationController = new CancellationController();
    child.detach = parent.onCancelled((reason: string): void => {
      child.cancel(reason);
    });
    return child;
  }

  /** A signal that is never cancelled. */
  static never(): CancellationSignal {
    return new NeverSignal();
  }

  get signal(): CancellationSignal {
    return this.own;
  }

  /** @returns false when it was cancelled before; the first reason stands. */
  cancel(reason: string): boolean {
    this.detach();
    return this.own.fire(reason);
  }

  /** Stops listening to the parent, so that a long-lived parent does not collect children. */
  dispose(): void {
    this.detach();
  }
}
