import { ErrorCatalog } from './ErrorCatalog';
import { ErrorCode, ErrorCodeEntry, ErrorLayer, ErrorRetryability } from './ErrorCodes';

/** One machine-readable fact beside an error; never a secret, never a whole argument value. */
export type ErrorDetail = string | number | boolean | ReadonlyArray<string>;

/** Optional parts of an error. */
export interface ArkAgentErrorOptions {
  /** Overrides what the catalog says about the code. */
  retryability?: ErrorRetryability;
  /** Milliseconds to wait before another try. */
  retryAfterMs?: number;
  /** Named facts, for example `problems`, `by`, `standing`, `offset`, `path`. */
  details?: Map<string, ErrorDetail>;
  cause?: Error;
}

/**
 * The one error class of the runtime: a stable `code`, the `layer` it comes from and whether a retry can help.
 *
 * `message` is English and for developers; it says what was expected, what was seen and where, and holds neither secrets
 * nor full argument values. The cause is kept as an object, never flattened into the text.
 */
export class ArkAgentError extends Error {
  readonly layer: ErrorLayer;
  /** snake_case, stable; a member of `ErrorCode`, or the own code of a tool, hook or app. */
  readonly code: string;
  readonly retryability: ErrorRetryability;
  /** Milliseconds; undefined when the other side did not say. */
  readonly retryAfterMs: number | undefined;
  readonly details: ReadonlyMap<string, ErrorDetail> | undefined;
  readonly cause: Error | undefined;

  constructor(layer: ErrorLayer, code: string, message: string, options?: ArkAgentErrorOptions) {
    super(message);
    this.name = 'ArkAgentError';
    this.layer = layer;
    this.code = code;
    this.retryability = options?.retryability ?? ErrorCatalog.find(code)?.retryability ?? ErrorRetryability.never;
    this.retryAfterMs = options?.retryAfterMs;
    this.details = options?.details;
    this.cause = options?.cause;
  }

  /** An error of the closed list; layer and retryability come from the catalog. */
  static of(code: ErrorCode, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    const entry: ErrorCodeEntry | undefined = ErrorCatalog.find(code);
    return new ArkAgentError(entry === undefined ? ErrorLayer.runtime : entry.layer, code, message, options);
  }

  static config(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.config, code, message, options);
  }

  static decode(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.decode, code, message, options);
  }

  static tool(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.tool, code, message, options);
  }

  static provider(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.provider, code, message, options);
  }

  static transport(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.transport, code, message, options);
  }

  static storage(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.storage, code, message, options);
  }

  static security(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.security, code, message, options);
  }

  static runtime(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.runtime, code, message, options);
  }

  static cancelled(code: string, message: string, options?: ArkAgentErrorOptions): ArkAgentError {
    return new ArkAgentError(ErrorLayer.cancelled, code, message, options);
  }

  /**
   * What foreign code threw, as a structured error: an ArkAgentError is kept as it is, anything else becomes `code` with
   * the thrown value as cause.
   */
  static wrap(code: ErrorCode, thrown: Object | null | undefined, context: string): ArkAgentError {
    if (thrown instanceof ArkAgentError) {
      return thrown;
    }
    if (thrown instanceof Error) {
      const options: ArkAgentErrorOptions = { cause: thrown };
      return ArkAgentError.of(code, `${context}: ${thrown.message}`, options);
    }
    return ArkAgentError.of(code, `${context}: a value that is no Error was thrown (${typeof thrown})`);
  }

  /** A copy that says more; code, layer and cause stay. */
  withDetail(key: string, value: ErrorDetail): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    if (this.details !== undefined) {
      for (const known of this.details.keys()) {
        details.set(known, this.details.get(known) as ErrorDetail);
      }
    }
    details.set(key, value);
    const options: ArkAgentErrorOptions = {
      retryability: this.retryability, retryAfterMs: this.retryAfterMs, details: details, cause: this.cause
    };
    return new ArkAgentError(this.layer, this.code, this.message, options);
  }
}
