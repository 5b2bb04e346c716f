import { arrayOf, numberOf, objectOf, textOf, WireErrorBody } from './WireTypes';

/** An error as a provider reported it, whatever the shape; texts are as they came and not masked yet. */
export class WireFault {
  readonly message: string;
  /** As it came: providers use words, numbers, and numbers in strings. */
  readonly code: string | number | undefined;
  readonly type: string | undefined;
  /** An HTTP status that the body itself names. */
  readonly status: number | undefined;

  constructor(message: string, code: string | number | undefined, type: string | undefined, status: number | undefined) {
    this.message = message;
    this.code = code;
    this.type = type;
    this.status = status;
  }

  /** The error that a parsed chunk carries; undefined for an ordinary chunk. */
  static ofChunk(raw: Object): WireFault | undefined {
    const body: WireErrorBody = raw as WireErrorBody;
    if (isPresent(body.error)) {
      return WireFault.ofMember(body.error as Object, body);
    }
    const base: Object | undefined = objectOf(body.base_resp);
    if (base !== undefined && (numberOf((base as WireErrorBody).status_code) ?? 0) !== 0) {
      return WireFault.ofObject(base as WireErrorBody);
    }
    if (arrayOf(body.choices) !== undefined || messageOf(body) === undefined) {
      return undefined;
    }
    const telling: boolean = body.object === 'error' || codeOf(body) !== undefined || textOf(body.type) !== undefined ||
      isPresent(body.detail) || Object.keys(raw).length === 1;
    return telling ? WireFault.ofObject(body) : undefined;
  }

  /** The error in the body of a refused request: JSON of any shape, an event stream with one event, or plain text. */
  static ofBody(text: string): WireFault | undefined {
    const trimmed: string = text.trim();
    const json: string = trimmed.startsWith('data:') ? trimmed.substring(5).split('\n')[0] : trimmed;
    const raw: Object | null | undefined = parseOrUndefined(json);
    const first: Object | null | undefined = arrayOf(raw) !== undefined ? (arrayOf(raw) as ReadonlyArray<Object | null>)[0] : raw;
    const body: Object | undefined = objectOf(first);
    if (body !== undefined) {
      return WireFault.ofChunk(body) ?? WireFault.ofObject(body as WireErrorBody);
    }
    const told: string | undefined = textOf(raw) ?? (raw === undefined && !trimmed.startsWith('<') ? textOf(trimmed) : undefined);
    return told === undefined ? undefined : new WireFault(told, undefined, undefined, undefined);
  }

  private static ofMember(error: Object, outer: WireErrorBody): WireFault {
    const inner: Object | undefined = objectOf(error) ?? objectOf((arrayOf(error) ?? [])[0]);
    if (inner === undefined) {
      const told: string = textOf(error) ?? messageOf(outer) ?? '';
      return new WireFault(told, codeOf(outer), textOf(outer.type), statusOf(outer));
    }
    const fault: WireFault = WireFault.ofObject(inner as WireErrorBody);
    return fault.message !== '' ? fault : new WireFault(messageOf(outer) ?? '', fault.code, fault.type, fault.status);
  }

  private static ofObject(body: WireErrorBody): WireFault {
    return new WireFault(messageOf(body) ?? '', codeOf(body), textOf(body.type) ?? textOf(body.status), statusOf(body));
  }
}

function isPresent(raw: Object | null | undefined): boolean {
  return raw !== null && raw !== undefined && raw !== '' && raw !== false;
}

/** @param levels how deep a message may be wrapped in messages */
function messageOf(body: WireErrorBody, levels: number = 3): string | undefined {
  const told: string | undefined = textOf(body.message) ?? textOf(body.msg) ?? textOf(body.error_msg) ??
    textOf(body.status_msg) ?? textOf(body.detail);
  if (told !== undefined) {
    return told;
  }
  const inner: Object | undefined = objectOf(body.message) ?? objectOf(body.detail) ??
    objectOf((arrayOf(body.detail) ?? arrayOf(body.errors) ?? [])[0]);
  return inner === undefined || levels === 0 ? undefined : messageOf(inner as WireErrorBody, levels - 1);
}

function codeOf(body: WireErrorBody): string | number | undefined {
  return textOf(body.code) ?? numberOf(body.code) ?? textOf(body.error_code) ?? numberOf(body.error_code) ??
    (textOf(body.status_msg) !== undefined ? numberOf(body.status_code) : undefined);
}

function statusOf(body: WireErrorBody): number | undefined {
  const named: number | undefined = numberOf(body.status_code) ?? numberOf(body.status) ?? numberOf(body.code);
  return named !== undefined && named >= 400 && named < 600 ? named : undefined;
}

function parseOrUndefined(text: string): Object | null | undefined {
  try {
    const raw: Object | null = JSON.parse(text);
    return raw;
  } catch (e) {
    return undefined;
  }
}
