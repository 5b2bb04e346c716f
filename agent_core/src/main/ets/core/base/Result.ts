import { ArkAgentError } from './ArkAgentError';
import { ErrorCode } from './ErrorCodes';

/**
 * The outcome of an operation that is expected to fail sometimes.
 *
 * `ok` does not narrow the type (ArkTS has no type predicates), so `value` and `error` are getters that throw
 * `internal_error` when they are read on the other kind: a programming fault, never a normal path (DEC-57).
 */
export class Result<T, E> {
  readonly ok: boolean;
  private readonly successValue: T | undefined;
  private readonly failureError: E | undefined;

  private constructor(ok: boolean, successValue: T | undefined, failureError: E | undefined) {
    this.ok = ok;
    this.successValue = successValue;
    this.failureError = failureError;
  }

  static success<T, E>(value: T): Result<T, E> {
    return new Result<T, E>(true, value, undefined);
  }

  static failure<T, E>(error: E): Result<T, E> {
    return new Result<T, E>(false, undefined, error);
  }

  /** @throws ArkAgentError internal_error when this is a failure. */
  get value(): T {
    if (!this.ok) {
      throw ArkAgentError.of(ErrorCode.internalError, 'value was read from a failed Result');
    }
    return this.successValue as T;
  }

  /** @throws ArkAgentError internal_error when this is a success. */
  get error(): E {
    if (this.ok) {
      throw ArkAgentError.of(ErrorCode.internalError, 'error was read from a successful Result');
    }
    return this.failureError as E;
  }

  /** A failure handed on under another success type; only a failure may be recast. */
  recast<U>(): Result<U, E> {
    return Result.failure<U, E>(this.error);
  }
}
