import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { CancellationSignal } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { FlowSignal } from '../../base/FlowControl';
import { StreamObserver } from '../../base/StreamObserver';
import { ModelProvider } from '../../model/ModelProvider';
import { ModelRequest } from '../../model/ModelRequest';
import { StreamingEvent } from '../../model/StreamingEvent';
import { HttpRequest, HttpTimeouts } from '../../port/HttpTransport';
import { Logger, SilentLogger } from '../../port/Logger';
import { TextDecoding } from '../../port/TextDecoding';
import { Utf8Decoding } from '../sse/Utf8Decoder';
import { AnswerLimits } from './AnswerStream';
import { OpenAiCall } from './OpenAiCall';
import { OpenAiDialect, OpenAiDialects } from './OpenAiDialect';
import { ApiKeySupplier, OpenAiOptions, OpenAiPorts, RetryOptions } from './OpenAiOptions';
import { RequestWriter } from './RequestWriter';
import { RetryPolicy } from './RetryPolicy';
import { SecretMask } from './SecretMask';
import { StreamEmitter } from './StreamEmitter';

const TIMEOUTS: HttpTimeouts = { connectMs: 15_000, firstByteMs: 120_000, idleMs: 60_000, totalMs: 600_000 };
const RETRY: RetryOptions = { maxRetries: 2, baseDelayMs: 500, maxDelayMs: 20_000 };
const MAX_RESPONSE_BYTES: number = 16 * 1024 * 1024;
const MAX_EVENT_CHARS: number = 4 * 1024 * 1024;

/**
 * A model behind an OpenAI-compatible `chat/completions` address.
 *
 * Contract, beside that of `ModelProvider`:
 * - After an error or an incomplete stream the part that arrived comes first, as modelComplete with that outcome, then onError.
 * - A cancelled signal ends the call with onError(cancelled) at once.
 * - The key is asked for per request, lives in that request only and is masked in every message; it is no part of the provider's state.
 * - Errors: provider_*, transport_*, cancelled, config_invalid (`details.problems`), json_* for a request that cannot be written.
 *   Details: `status`, `providerCode`, `providerType`.
 */
export class OpenAiCompatibleProvider implements ModelProvider {
  private readonly url: string;
  private readonly apiKey: ApiKeySupplier | undefined;
  private readonly dialect: OpenAiDialect;
  private readonly extraHeaders: ReadonlyMap<string, string>;
  private readonly timeouts: HttpTimeouts;
  private readonly limits: AnswerLimits;
  private readonly policy: RetryPolicy;
  private readonly ports: OpenAiPorts;
  private readonly decoding: TextDecoding;
  private readonly logger: Logger;
  private readonly writer: RequestWriter;

  constructor(options: OpenAiOptions, ports: OpenAiPorts) {
    this.url = addressOf(options.baseUrl);
    this.apiKey = options.apiKey;
    this.dialect = OpenAiDialects.copyOf(options.dialect ?? OpenAiDialects.forBaseUrl(options.baseUrl));
    this.extraHeaders = options.headers ?? new Map<string, string>();
    this.timeouts = options.timeouts ?? TIMEOUTS;
    this.limits = {
      maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES, maxEventChars: options.maxEventChars ?? MAX_EVENT_CHARS
    };
    this.policy = new RetryPolicy(options.retry ?? RETRY);
    this.ports = ports;
    this.decoding = ports.textDecoding ?? new Utf8Decoding();
    this.logger = ports.logger ?? new SilentLogger();
    this.writer = new RequestWriter(this.dialect, options.model ?? '');
  }

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal,
    flow?: FlowSignal): void {
    const mask: SecretMask = new SecretMask();
    const call: OpenAiCall = new OpenAiCall(this.ports, this.decoding, this.limits, this.policy, mask,
      new StreamEmitter(observer, this.logger), signal, flow);
    if (!call.open()) {
      return;
    }
    if (this.url === '') {
      const options: ArkAgentErrorOptions = {
        details: new Map<string, ErrorDetail>([['problems', ['baseUrl is not an http or https address']]])
      };
      call.refuse(ArkAgentError.of(ErrorCode.configInvalid, 'baseUrl is not an http or https address', options));
      return;
    }
    this.begin(request, call, mask);
  }

  private begin(request: ModelRequest, call: OpenAiCall, mask: SecretMask): void {
    let body: string = '';
    try {
      body = this.writer.write(request);
    } catch (e) {
      call.refuse(ArkAgentError.wrap(ErrorCode.providerFailed, e as Error, 'the request could not be written'));
      return;
    }
    try {
      const supplied: string | Promise<string> = this.apiKey === undefined ? '' : this.apiKey();
      if (typeof supplied === 'string') {
        this.sendWithKey(supplied, body, call, mask);
        return;
      }
      supplied.then((key: string): void => this.sendWithKey(key, body, call, mask), (): void => {
        call.refuse(keyError('the key supplier failed'));
      });
    } catch (e) {
      call.refuse(keyError('the key supplier failed'));
    }
  }

  private sendWithKey(supplied: string, body: string, call: OpenAiCall, mask: SecretMask): void {
    const key: string = supplied.trim();
    if (!/^[\x21-\x7E]*$/.test(key)) {
      call.refuse(keyError('the key holds characters that no header can carry'));
      return;
    }
    mask.add(key);
    const headers: Map<string, string> = new Map<string, string>();
    headers.set('content-type', 'application/json');
    headers.set('accept', 'text/event-stream');
    if (key !== '') {
      headers.set(this.dialect.keyHeader, this.dialect.keyHeader === 'authorization' ? `Bearer ${key}` : key);
    }
    this.extraHeaders.forEach((value: string, name: string): void => {
      headers.set(name.toLowerCase(), value);
      if (/auth|key|token|secret|cookie/i.test(name)) {
        mask.add(value);
        mask.add(value.substring(value.lastIndexOf(' ') + 1));
      }
    });
    const request: HttpRequest = { method: 'POST', url: this.url, headers: headers, body: body, timeouts: this.timeouts };
    call.send(request);
  }
}

/** Never with the thrown error as cause: nobody knows what a key store puts into its messages. */
function keyError(message: string): ArkAgentError {
  return ArkAgentError.of(ErrorCode.providerAuth, message);
}

function addressOf(baseUrl: string): string {
  if (!/^https?:\/\/[^\s/?#]+/i.test(baseUrl)) {
    return '';
  }
  const query: number = baseUrl.indexOf('?');
  const path: string = (query < 0 ? baseUrl : baseUrl.substring(0, query)).replace(/\/+$/, '');
  const full: string = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return query < 0 ? full : full + baseUrl.substring(query);
}
