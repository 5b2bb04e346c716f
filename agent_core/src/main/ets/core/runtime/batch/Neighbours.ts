import { CancellationController, CancellationSignal } from '../../base/Cancellation';
import { HookTurn } from '../../execution/seam/HookTurn';
import { HookLane } from './HookLane';

/** What a member does; resolves when it is accounted for. */
export type NeighbourWork = (turn: HookTurn) => Promise<void>;

/**
 * Calls of one batch that run beside each other: at most so many at once, one signal for all of them, and hooks in the order of
 * the calls, whichever of them is ready first.
 */
export class Neighbours {
  private readonly control: CancellationController;
  private readonly limit: number;
  private readonly lane: HookLane;
  private running: number = 0;
  /** Resolves when every member so far has ended. */
  private tail: Promise<void> = Promise.resolve();
  private failure: Error | undefined = undefined;
  private signalPlace: () => void = (): void => {
  };

  /** @param limit of executors at once, 1 or more */
  constructor(outer: CancellationSignal, limit: number, lane: HookLane) {
    this.control = CancellationController.derive(outer);
    this.limit = limit;
    this.lane = lane;
  }

  /** Fires with the run's own signal, and when the members have to stop. */
  get signal(): CancellationSignal {
    return this.control.signal;
  }

  /** No further member is to start. */
  get stopped(): boolean {
    return this.control.signal.cancelled;
  }

  /** The members that run get the grace of a cancel. */
  stop(reason: string): void {
    this.control.cancel(reason);
  }

  /** Starts the next member; it must have a place. */
  start(work: NeighbourWork): void {
    const turn: NeighbourTurn = new NeighbourTurn(this.tail, this.lane, (): void => this.freePlace());
    this.running++;
    const own: Promise<void> = work(turn).then((): void => turn.free(), (e: Error): void => {
      turn.free();
      this.failure = this.failure ?? e;
      this.stop('');
    });
    const before: Promise<void> = this.tail;
    this.tail = own.then((): Promise<void> => before);
  }

  /** Resolves when one more may start. */
  place(): Promise<void> {
    if (this.running < this.limit) {
      return Promise.resolve();
    }
    return new Promise<void>((resolve: () => void): void => {
      this.signalPlace = resolve;
    });
  }

  /** Resolves when every member has ended. Rejects with the first fault of the runtime itself. */
  async ended(): Promise<void> {
    await this.tail;
    this.control.dispose();
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }

  private freePlace(): void {
    this.running--;
    this.signalPlace();
  }
}

/** A member's place among the running ones, until its executor has answered, and its turn at the hooks. */
class NeighbourTurn implements HookTurn {
  private readonly before: Promise<void>;
  private readonly lane: HookLane;
  private readonly onFree: () => void;
  private isFree: boolean = false;

  constructor(before: Promise<void>, lane: HookLane, onFree: () => void) {
    this.before = before;
    this.lane = lane;
    this.onFree = onFree;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    this.free();
    await this.before;
    return this.lane.run(work);
  }

  free(): void {
    if (!this.isFree) {
      this.isFree = true;
      this.onFree();
    }
  }
}
