import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode, ErrorRetryability } from '../../base/ErrorCodes';
import { RetryAfter } from './RetryAfter';
import { SecretMask } from './SecretMask';
import { WireFault } from './WireFault';

/** The longest wait that an error hands on, in milliseconds; a provider that asks for more is not waited for. */
export const MAX_RETRY_AFTER_MS: number = 60_000;

const MESSAGE_CHARS: number = 500;

const QUOTA: RegExp = new RegExp('insufficient[_ ]?(?:quota|balance|credit|fund)|billing_|billing details|exceeded[_ ](?:your )?current[_ ]quota|' +
  'arrearage|payment required|out of credits|余额不足|欠费', 'i');
const CONTEXT: RegExp = new RegExp('context[_ -]?(?:length|window|size)|maximum context|exceed_context|prompt (?:is )?too long|too_many_prompt_tokens|' +
  'too many (?:prompt |input )?tokens|(?:input|prompt|messages?)[^.]{0,40} too long|exceeds? the (?:model.s )?(?:maximum|max) (?:input|prompt)|' +
  'token limit|string_above_max_length|max_prompt_tokens', 'i');
const KEY: RegExp = /invalid_api_key|api key not valid|incorrect api key|invalid api key|authentication_error|unauthenticated/i;
const RATE: RegExp = /rate[_ -]?limit|too many requests|throttl|resource_exhausted/i;
const OVERLOADED: RegExp = /overloaded|server_error|internal_error|unavailable|disconnected|timed? ?out|bad gateway/i;
/** A server that answers 500 although only another request can help. */
const MISCONFIGURED: RegExp = /\brequires\b|not supported|unsupported|cannot make GET request|failed to load/i;

/** Answers of a provider that are no answers of a model, as errors: by status and content, never by content type. */
export class ProviderErrors {
  /** A refused request. Details: `status`, `providerCode`, `providerType`, `retryAfterCapped`. */
  static ofStatus(status: number, headers: ReadonlyMap<string, string>, body: string, mask: SecretMask): ArkAgentError {
    const fault: WireFault = WireFault.ofBody(body) ?? new WireFault('', undefined, undefined, undefined);
    return ProviderErrors.build(ProviderErrors.classify(status, fault), fault, status, headers, mask);
  }

  /** An error inside an answer that began well; a fault of the service is `provider_stream_error`. */
  static ofFault(fault: WireFault, httpStatus: number, headers: ReadonlyMap<string, string>, mask: SecretMask): ArkAgentError {
    const status: number = httpStatus >= 400 ? httpStatus : fault.status ?? 0;
    const code: ErrorCode = ProviderErrors.classify(status, fault);
    const unspecific: boolean = code === ErrorCode.providerServerError || code === ErrorCode.providerHttpError;
    return ProviderErrors.build(unspecific && httpStatus < 400 ? ErrorCode.providerStreamError : code, fault,
      status, headers, mask);
  }

  /** The body does not follow the protocol. @param excerpt what stood there, when it is worth showing */
  static protocol(what: string, excerpt: string, status: number, mask: SecretMask): ArkAgentError {
    const shown: string = excerpt === '' ? '' : `: ${mask.shorten(excerpt.trim(), 120)}`;
    const options: ArkAgentErrorOptions = { details: new Map<string, ErrorDetail>([['status', status]]) };
    return ArkAgentError.of(ErrorCode.providerProtocol, what + shown, options);
  }

  private static classify(status: number, fault: WireFault): ErrorCode {
    const words: string = `${fault.code ?? ''} ${fault.type ?? ''} ${fault.message}`;
    if (status === 402 || ((status < 500) && QUOTA.test(words))) {
      return ErrorCode.providerQuotaExceeded;
    }
    if (status === 429 || (status < 500 && RATE.test(`${fault.code ?? ''} ${fault.type ?? ''}`))) {
      return ErrorCode.providerRateLimited;
    }
    if (status === 401) {
      return ErrorCode.providerAuth;
    }
    if (status === 403) {
      return ErrorCode.providerPermission;
    }
    if (status >= 500 || status === 408) {
      return ErrorCode.providerServerError;
    }
    return ProviderErrors.classifyByWords(status, words);
  }

  private static classifyByWords(status: number, words: string): ErrorCode {
    if (CONTEXT.test(words)) {
      return ErrorCode.providerContextLength;
    }
    if (KEY.test(words)) {
      return ErrorCode.providerAuth;
    }
    if (status === 404) {
      return ErrorCode.providerNotFound;
    }
    if (status >= 400) {
      return ErrorCode.providerBadRequest;
    }
    if (status === 0 && OVERLOADED.test(words)) {
      return ErrorCode.providerServerError;
    }
    if (status === 0 && RATE.test(words)) {
      return ErrorCode.providerRateLimited;
    }
    return status === 0 && /invalid_request/i.test(words) ? ErrorCode.providerBadRequest : ErrorCode.providerHttpError;
  }

  private static build(code: ErrorCode, fault: WireFault, status: number, headers: ReadonlyMap<string, string>,
    mask: SecretMask): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    if (status > 0) {
      details.set('status', status);
    }
    if (fault.code !== undefined) {
      details.set('providerCode', typeof fault.code === 'string' ? mask.shorten(fault.code, 100) : fault.code);
    }
    if (fault.type !== undefined) {
      details.set('providerType', mask.shorten(fault.type, 100));
    }
    const options: ArkAgentErrorOptions = { details: details };
    ProviderErrors.addRetry(options, code, fault, status, headers);
    const said: string = mask.shorten(fault.message, MESSAGE_CHARS);
    return ArkAgentError.of(code, said !== '' ? said : `the provider answered with HTTP status ${status} and no readable reason`, options);
  }

  private static addRetry(options: ArkAgentErrorOptions, code: ErrorCode, fault: WireFault, status: number,
    headers: ReadonlyMap<string, string>): void {
    if (status === 500 && MISCONFIGURED.test(fault.message)) {
      options.retryability = ErrorRetryability.never;
      return;
    }
    if (code !== ErrorCode.providerRateLimited && code !== ErrorCode.providerServerError) {
      return;
    }
    const asked: number | undefined = RetryAfter.of(headers).askedMs;
    if (asked !== undefined) {
      options.retryAfterMs = Math.min(asked, MAX_RETRY_AFTER_MS);
      if (asked > MAX_RETRY_AFTER_MS) {
        options.details?.set('retryAfterCapped', true);
      }
    }
  }
}
