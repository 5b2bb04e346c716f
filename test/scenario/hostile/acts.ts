import { ArkAgentError } from '@core/base/ArkAgentError';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { ContentPart } from '@core/message/ContentPart';
import { ToolCallScope } from '@core/tool/ToolCallScope';
import type { ToolContext } from '@core/tool/ToolContext';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';

/** What a tool sees when it is entered, and how a test lets it go on later. */
export interface Entered {
  args: JsonObject;
  /** The arguments as they came, as JSON text. */
  json: string;
  context: ToolContext;
  /** Settles calls that hang. */
  later: (settle: () => void) => void;
}

export type Act = (entered: Entered) => unknown;

const never = (): Promise<never> => new Promise(() => undefined);
const odd = (value: unknown): never => value as never;
const scope = (context: ToolContext): ToolCallScope => context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope;
const throws = (): never => { throw new Error('trap'); };

/** An error whose every look fails. */
function spikes(): object {
  return new Proxy({}, { getPrototypeOf: throws, get: throws, has: throws, ownKeys: throws, getOwnPropertyDescriptor: throws });
}

function cyclic(): JsonObject {
  const own = new JsonObject().setString('a', 'b');
  return own.setObject('self', own);
}

function deep(levels: number): JsonValue {
  let value = JsonValue.string('end');
  for (let at = 0; at < levels; at++) value = JsonValue.array([value]);
  return value;
}

/** Everything a bad tool may do, by name. */
export const ACTS: Record<string, Act> = {
  echo: ({ json }) => ToolResult.text(json),
  echoDecoded: ({ args }) => ToolResult.text(args.keys().map((key) => `${key}: ${args.getString(key) ?? ''}`).join('\n')),
  echoJson: ({ args }) => new ToolResult([ContentPart.json(JsonValue.object(args))]),
  echoError: ({ json }) => ToolResult.error(`could not do ${json}`),
  echoMetadata: ({ args }) => new ToolResult([ContentPart.text('ok')], false, false, args),
  echoReferences: ({ json, args }) => new ToolResult([ContentPart.file(`file:///${args.getString('path')}`, json), ContentPart.image(json, `image/${args.getString('text')}`), ContentPart.audio('a', json)]),
  echoProgress: ({ json, context }) => { scope(context).reportProgress(json, 0.5); scope(context).reportProgress(odd(null), odd('x')); return ToolResult.text('ok'); },
  echoTwice: ({ json }) => ToolResult.text(JSON.stringify(JSON.stringify(json))),
  throwEcho: ({ json }) => { throw new Error(`failed on ${json}`); },
  throwOwnCode: ({ json }) => { throw ArkAgentError.tool('own_code', json, { details: new Map([['path', json]]), cause: new Error(json) }); },
  throwSecretCode: ({ json }) => { throw ArkAgentError.tool(json, 'x'); },
  throwDecodedCode: ({ args }) => { throw ArkAgentError.tool((args.getString('text') ?? 'x').toLowerCase(), args.getString('text') ?? ''); },
  throwOddCode: () => { throw new ArkAgentError(odd({}), odd(7), odd({ toString: () => 'm' })); },
  throwString: ({ json }) => { throw odd(json); },
  throwNull: () => { throw odd(null); },
  throwUndefined: () => { throw odd(undefined); },
  throwOddMessage: () => { throw Object.assign(new Error('x'), { message: { toString: throws } }); },
  throwGetter: () => { throw Object.defineProperty(new Error('x'), 'message', { get: throws }); },
  throwSpikes: () => { throw spikes(); },
  throwSpikedSpikes: () => { throw new Proxy({}, { getPrototypeOf: () => { throw spikes(); }, get: () => { throw spikes(); } }); },
  throwCyclicCause: () => { const error = new Error('a'); error.cause = error; throw error; },
  reject: ({ json }) => Promise.reject(new Error(json)),
  rejectNothing: () => Promise.reject(odd(undefined)),
  hang: () => never(),
  late: ({ json, later }) => new Promise((resolve) => later(() => resolve(ToolResult.text(json)))),
  lateFailure: ({ json, later }) => new Promise((_resolve, reject) => later(() => reject(new Error(json)))),
  lateNonsense: ({ later }) => new Promise((resolve) => later(() => resolve(odd({ contents: 1 })))),
  detach: ({ json, context, later }) => new Promise((resolve) => { scope(context).detach(); scope(context).reportProgress(json); later(() => resolve(ToolResult.text(json))); }),
  nothing: () => undefined,
  none: () => Promise.resolve(null),
  number: () => Promise.resolve(7),
  lookalike: ({ json }) => Promise.resolve({ contents: [ContentPart.text(json)], isError: false, stopFlag: false, text: () => json }),
  thenable: () => ({ then: throws }),
  thenableNever: () => ({ then: () => undefined }),
  thenableTwice: ({ json }) => ({ then: (yes: (value: unknown) => void, no: (value: unknown) => void) => { yes(ToolResult.text(json)); no(new Error(json)); yes(7); } }),
  spiked: () => Promise.resolve(spikes()),
  bare: () => Object.create(ToolResult.prototype),
  noContents: () => new ToolResult(odd(undefined)),
  oddContents: ({ json }) => new ToolResult(odd(json)),
  oddParts: ({ json }) => new ToolResult(odd([null, 7, json, {}, { kind: 'text', textValue: json }])),
  forgedPart: ({ json }) => new ToolResult([Object.assign(Object.create(ContentPart.prototype), { kind: json, textValue: json, uriValue: json, mimeValue: json }) as ContentPart]),
  numberPart: () => new ToolResult([ContentPart.text(odd(7)), ContentPart.json(odd('x')), ContentPart.file(odd({}), odd(1))]),
  oddFlags: ({ json }) => new ToolResult([ContentPart.text('x')], odd(json), odd({}), odd({ a: json })),
  cyclicMetadata: () => new ToolResult([ContentPart.text('x')], false, false, cyclic()),
  cyclicJson: () => new ToolResult([ContentPart.json(JsonValue.object(cyclic()))]),
  deepJson: () => new ToolResult([ContentPart.json(deep(5000))]),
  notANumber: () => new ToolResult([ContentPart.json(JsonValue.number(NaN)), ContentPart.json(JsonValue.number(-Infinity))]),
  huge: ({ json }) => ToolResult.text(`${'y'.repeat(60_000)} ${json}`),
  hugeError: ({ json }) => { throw new Error(`${'é'.repeat(480)} ${json}`); },
  many: () => new ToolResult(Array.from({ length: 2000 }, () => ContentPart.text('z'))),
  lone: () => new ToolResult([ContentPart.text('\ud800 \udc00 \ud83d'), ContentPart.json(JsonValue.string('\ud800'))], false, false, new JsonObject().setString('\udfff', '\ud800')),
  stop: ({ json }) => new ToolResult([ContentPart.text(json)], false, true),
  stopWithError: () => new ToolResult([ContentPart.text('x')], true, true),
  changeArguments: ({ args }) => { args.setString('__proto__', 'x').setObject('self', args); return ToolResult.text('ok'); },
  takeOver: ({ context }) => { context.services.register(scope(context)); (context as { sessionId: string }).sessionId = 'other'; return ToolResult.text('ok'); },
  changeLater: ({ json }) => { const parts = [ContentPart.text('ok')]; setImmediate(() => parts.push(ContentPart.text(json), odd(null))); return new ToolResult(parts); },
};

const codec = new JsonCodec();

/** The arguments as the judge of the schema reads them. */
export function jsonOf(args: JsonObject): string {
  return codec.stringify(JsonValue.object(args)).value;
}
