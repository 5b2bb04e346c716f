import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';

/** Answers requests of one key; undefined is the empty answer. A throw or rejection reaches the requester. */
export type ControllerRequestHandler<P extends Object, A extends Object> =
  (payload: P) => A | undefined | Promise<A | undefined>;

type StoredHandler = (payload: Object) => Object | undefined | Promise<Object | undefined>;

/** One handler per key. */
export class RequestHandlers {
  private readonly byKey: Map<string, StoredHandler> = new Map<string, StoredHandler>();

  /** As `EventBus.request`. */
  async request<P extends Object, A extends Object>(key: string, payload: P, fallback: A | undefined): Promise<A | undefined> {
    const handler: StoredHandler | undefined = this.byKey.get(key);
    if (handler !== undefined) {
      return await handler(payload) as A | undefined;
    }
    if (fallback === undefined) {
      throw ArkAgentError.of(ErrorCode.requestHandlerMissing, `nobody answers requests of "${key}"`);
    }
    return fallback;
  }

  /** As `EventBus.registerRequestHandler`. */
  register<P extends Object, A extends Object>(key: string, handler: ControllerRequestHandler<P, A>): () => void {
    if (this.byKey.has(key)) {
      throw ArkAgentError.of(ErrorCode.requestHandlerDuplicate, `requests of "${key}" have a handler already`);
    }
    const stored: StoredHandler = (payload: Object): Object | undefined | Promise<Object | undefined> =>
      handler(payload as P);
    this.byKey.set(key, stored);
    return (): void => {
      if (this.byKey.get(key) === stored) {
        this.byKey.delete(key);
      }
    };
  }

  clear(): void {
    this.byKey.clear();
  }
}
