import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode, ErrorRetryability } from '../../base/ErrorCodes';
import { RetryOptions } from './OpenAiOptions';

/**
 * Whether a request may be sent again, and when.
 *
 * Only a request that the service refused (408, 429, 5xx) or that never reached it is repeated. One that may have been accepted is not: its
 * answer could be on its way, and somebody pays for it.
 */
export class RetryPolicy {
  private readonly options: RetryOptions;

  constructor(options: RetryOptions) {
    this.options = options;
  }

  /**
   * @param retries how often it was sent again already
   * @param shown whether anybody has seen a part of the answer
   * @returns milliseconds to wait; undefined for no retry
   */
  delayBefore(error: ArkAgentError, retries: number, shown: boolean): number | undefined {
    if (shown || retries >= this.options.maxRetries || !RetryPolicy.isSafe(error)) {
      return undefined;
    }
    if (error.details?.get('retryAfterCapped') === true) {
      return undefined;
    }
    const delayMs: number = Math.max(error.retryAfterMs ?? 0, this.options.baseDelayMs * Math.pow(2, retries));
    return (error.retryAfterMs ?? 0) > this.options.maxDelayMs ? undefined : Math.min(delayMs, this.options.maxDelayMs);
  }

  private static isSafe(error: ArkAgentError): boolean {
    if (error.retryability === ErrorRetryability.never) {
      return false;
    }
    return error.code === ErrorCode.providerRateLimited || error.code === ErrorCode.providerServerError ||
      error.code === ErrorCode.transportConnect;
  }
}
