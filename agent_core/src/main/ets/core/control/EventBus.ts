import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { ControllerEventTypes } from './ControllerEventTypes';
import { AgentControllerEvent } from './event/AgentControllerEvent';
import { ControllerRequestHandler, RequestHandlers } from './RequestHandlers';

/**
 * Told about an event. May be async; nobody waits for it. Must not block: it runs inside the agent's own work.
 */
export type ControllerEventListener = (event: AgentControllerEvent) => void;

/** A listener that threw, or whose promise was rejected. */
export interface ListenerFault {
  readonly eventType: string;
  /** internal_error, or what the listener threw when that was an ArkAgentError. */
  readonly error: ArkAgentError;
}

/** Told about faults of listeners. Must not publish: a listener that always fails would feed itself. */
export type ListenerFaultHandler = (fault: ListenerFault) => void;

type AnyListener = (event: AgentControllerEvent) => void | Promise<void>;

/** One subscription. */
class Subscription {
  readonly listener: AnyListener;
  /** Counts up; tells those that came after a publish began. */
  readonly order: number;

  constructor(listener: AnyListener, order: number) {
    this.listener = listener;
    this.order = order;
  }
}

/**
 * Hands events to listeners, and requests to their one handler.
 *
 * Contract:
 * - Order: listeners of the event's type in the order of subscription, then those of all events. A listener that
 *   unsubscribes is not called again, also not by a publish under way; one that subscribes hears the next event.
 * - Failure: a listener's throw or rejection stops nobody and reaches the fault handler.
 * - After `close`, publish and subscribe do nothing; what was subscribed is forgotten.
 */
export class EventBus {
  private readonly byType: Map<string, Set<Subscription>> = new Map<string, Set<Subscription>>();
  private readonly handlers: RequestHandlers = new RequestHandlers();
  private readonly onFault: ListenerFaultHandler | undefined;
  private nextOrder: number = 0;
  private isClosed: boolean = false;

  constructor(onFault?: ListenerFaultHandler) {
    this.onFault = onFault;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  publish(event: AgentControllerEvent): void {
    if (this.byType.size === 0) {
      return;
    }
    const type: string = event.eventType();
    const limit: number = this.nextOrder;
    this.deliver(this.byType.get(type), event, type, limit);
    if (type !== ControllerEventTypes.all) {
      this.deliver(this.byType.get(ControllerEventTypes.all), event, type, limit);
    }
  }

  /**
   * @param type a key of `ControllerEventTypes` or an app's own; `*` for all
   * @returns unsubscribes; may be called any number of times
   */
  subscribe(type: string, listener: ControllerEventListener): () => void {
    if (this.isClosed) {
      return (): void => {
      };
    }
    const added: Subscription = new Subscription(listener, this.nextOrder++);
    const known: Set<Subscription> | undefined = this.byType.get(type);
    if (known === undefined) {
      this.byType.set(type, new Set<Subscription>([added]));
    } else {
      known.add(added);
    }
    return (): void => this.remove(type, added);
  }

  /** As `subscribe` for every event. */
  subscribeAll(listener: ControllerEventListener): () => void {
    return this.subscribe(ControllerEventTypes.all, listener);
  }

  /** Whether anybody would hear an event of this type: without, it need not be built. */
  hasSubscribers(type: string): boolean {
    return this.byType.size > 0 && (this.byType.has(type) || this.byType.has(ControllerEventTypes.all));
  }

  /**
   * Asks the handler of a key.
   *
   * @param fallback the answer when there is no handler
   * @returns the handler's answer, undefined when it gave none; rejects with what the handler threw, or with
   *   request_handler_missing when there is neither handler nor fallback (DEC-59)
   */
  request<P extends Object, A extends Object>(key: string, payload: P, fallback?: A): Promise<A | undefined> {
    return this.handlers.request<P, A>(key, payload, fallback);
  }

  /**
   * @returns removes the handler; may be called any number of times
   * @throws ArkAgentError request_handler_duplicate
   */
  registerRequestHandler<P extends Object, A extends Object>(key: string,
    handler: ControllerRequestHandler<P, A>): () => void {
    if (this.isClosed) {
      return (): void => {
      };
    }
    return this.handlers.register<P, A>(key, handler);
  }

  close(): void {
    this.isClosed = true;
    for (const listeners of this.byType.values()) {
      listeners.clear();
    }
    this.byType.clear();
    this.handlers.clear();
  }

  private remove(type: string, removed: Subscription): void {
    const listeners: Set<Subscription> | undefined = this.byType.get(type);
    if (listeners !== undefined && listeners.delete(removed) && listeners.size === 0) {
      this.byType.delete(type);
    }
  }

  /** A Set may change while it is walked: what is removed is not visited, what is added has an order past the limit. */
  private deliver(listeners: Set<Subscription> | undefined, event: AgentControllerEvent, type: string,
    limit: number): void {
    if (listeners === undefined) {
      return;
    }
    for (const subscription of listeners) {
      if (subscription.order >= limit) {
        return;
      }
      this.call(subscription, event, type);
    }
  }

  private call(subscription: Subscription, event: AgentControllerEvent, type: string): void {
    try {
      const pending: void | Promise<void> = subscription.listener(event);
      if (pending instanceof Promise) {
        pending.catch((e: Error): void => this.report(type, e));
      }
    } catch (e) {
      this.report(type, e as Error);
    }
  }

  private report(type: string, thrown: Error): void {
    if (this.onFault === undefined) {
      return;
    }
    try {
      this.onFault({
        eventType: type, error: ArkAgentError.wrap(ErrorCode.internalError, thrown, `a listener of ${type} failed`)
      });
    } catch (e) {
      // The handler of faults failed itself; there is nobody left to tell.
    }
  }
}
