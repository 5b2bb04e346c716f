import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentHook, AgentMessage, AgentRuntime, BaseObserver, ModelChunkHookResult, ModelResponse, OpenAiCompatibleProvider, StreamingEvent,
  type AgentEvent, type CancellationSignal, type FlowSignal, type ModelChunkHookContext, type ModelProvider, type ModelRequest, type StreamObserver,
} from 'agent_core';
import { CountingIdGenerator, TestDigest } from '@core/testing';
import { NodeHttpTransport } from '../../../host/src/http/NodeHttpTransport';
import { NodeScheduler } from '../../../host/src/ports/NodeScheduler';

/** What the parent reads. */
export interface MemoryReport {
  ended: string;
  /** Bytes that the source gave away. */
  streamed: number;
  sourceMs: number;
  totalMs: number;
  /** Largest heap above the start, in bytes, after collecting garbage. */
  growth: number;
  samples: number;
  answerChars: number;
  /** By how many bytes the source was ahead of the hook at most. */
  lead: number;
}

const MEGABYTE = 1024 * 1024;
const scheduler = new NodeScheduler();
const collect = (globalThis as unknown as { gc: () => void }).gc;

/** Looks at the live heap now and then. External memory counts: the pieces of a body live there. */
class Heap {
  private readonly start: number;
  private peak = 0;
  private lookedAt = 0;
  samples = 0;

  constructor() {
    this.start = Heap.now();
  }

  static now(): number {
    collect();
    const used = process.memoryUsage();
    return used.heapUsed + used.arrayBuffers;
  }

  /** At most five times a second: collecting takes its time too. */
  lookNow(): void {
    if (performance.now() - this.lookedAt >= 200) this.look();
  }

  look(): void {
    this.lookedAt = performance.now();
    this.samples++;
    this.peak = Math.max(this.peak, Heap.now() - this.start);
  }

  get growth(): number {
    return this.peak;
  }
}

/** Takes ten times as long for a stretch of the stream as the source does. */
class SlowHook extends AgentHook {
  heap: Heap | undefined = undefined;
  given: () => number = () => 0;
  bytesPerChar = 1;
  /** By how many bytes the source was ahead of this hook at most. */
  lead = 0;
  private chars = 0;
  private owedMs = 0;

  constructor(private readonly msPerChar: number) {
    super('slow');
  }

  override async onModelChunk(context: ModelChunkHookContext): Promise<ModelChunkHookResult> {
    this.owedMs += context.text.length * this.msPerChar;
    if (this.owedMs >= 5) {
      const started = performance.now();
      await sleep(this.owedMs);
      this.owedMs -= performance.now() - started;
    }
    this.heap?.lookNow();
    this.chars += context.text.length;
    this.lead = Math.max(this.lead, this.given() - this.chars * this.bytesPerChar);
    return ModelChunkHookResult.proceed(context.text.substring(0, Math.ceil(context.text.length / 100)), '');
  }
}

/** A model in the process that makes text as fast as it may: 16 KiB in each turn of the event loop. */
class Firehose implements ModelProvider {
  streamed = 0;

  constructor(private readonly bytes: number, private readonly stops: boolean) {}

  stream(_request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal, flow?: FlowSignal): void {
    void this.pour(observer, signal, this.stops ? flow : undefined);
  }

  private async pour(observer: StreamObserver<StreamingEvent>, signal: CancellationSignal, flow: FlowSignal | undefined): Promise<void> {
    let seed = 0;
    while (this.streamed < this.bytes && !signal.cancelled) {
      for (let i = 0; i < 16; i++) observer.onNext(StreamingEvent.textDelta(String(seed++).padStart(1024, 'x')));
      this.streamed += 16 * 1024;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (flow?.paused === true) {
        await new Promise<void>((resolve) => {
          const stop = flow.onChange(() => {
            stop();
            resolve();
          });
        });
      }
    }
    observer.onNext(StreamingEvent.modelComplete(ModelResponse.text('')));
    observer.onComplete();
  }
}

/** What the model says in one event of a kilobyte. */
const DELTA = 'w'.padEnd(120, '.');

/** A server that sends as fast as the socket takes it. */
class Gateway {
  static readonly BYTES_PER_CHAR = 1024 / DELTA.length;
  streamed = 0;
  private server: Server | undefined = undefined;

  constructor(private readonly bytes: number) {}

  async listen(): Promise<string> {
    const padding = 'p'.repeat(800);
    const event = `data: {"id":"c","object":"chat.completion.chunk","model":"m","padding":"${padding}","choices":[{"index":0,"delta":{"content":"${DELTA}"}}]}\n\n`;
    const block = Buffer.from(event.repeat(64));
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let sent = 0;
      const pump = (): void => {
        let room = true;
        while (room && sent < this.bytes) {
          sent += block.length;
          this.streamed += block.length;
          room = response.write(block);
        }
        if (room) response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
        else response.once('drain', pump);
      };
      response.on('error', () => undefined);
      pump();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  }

  close(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }
}

class Counter extends BaseObserver<AgentEvent> {
  chars = 0;
  override onNext(event: AgentEvent): void {
    if (event.type === 'text_delta') this.chars += event.text.length;
  }
}

async function run(provider: ModelProvider, hook: SlowHook | undefined, maxResponseChars: number): Promise<[string, number, number]> {
  const opened = await AgentRuntime.open({
    sessionId: 's', provider, hooks: hook === undefined ? [] : [hook], limits: { maxResponseChars },
    ports: { clock: { nowMs: () => Date.now() }, scheduler, ids: new CountingIdGenerator(), digest: new TestDigest() },
  });
  const counter = new Counter();
  const started = performance.now();
  const result = await opened.value.runStream([AgentMessage.user('go')], counter);
  return [result.ok ? result.value.stopReason : result.error.code, performance.now() - started, counter.chars];
}

function overHttp(baseUrl: string): ModelProvider {
  return new OpenAiCompatibleProvider({ baseUrl, model: 'm', maxResponseBytes: 1024 * MEGABYTE, retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 } },
    { transport: new NodeHttpTransport(scheduler), ids: new CountingIdGenerator(), scheduler });
}

/** Work, not time: a busy machine must not make the hook slower still. */
function workMs(since: NodeJS.CpuUsage): number {
  const spent = process.cpuUsage(since);
  return (spent.user + spent.system) / 1000;
}

/** Measures the source alone, then with the hook that takes ten times as long. */
async function main(): Promise<MemoryReport> {
  const [kind, megabytes] = [process.argv[2], Number(process.argv[3])];
  const bytes = megabytes * MEGABYTE;
  let sourceMs: number;
  let provider: ModelProvider;
  let streamed: () => number;
  let close = (): void => undefined;
  let chars = bytes;
  if (kind === 'http') {
    const alone = new Gateway(bytes);
    const spent = process.cpuUsage();
    await run(overHttp(await alone.listen()), undefined, bytes);
    sourceMs = workMs(spent);
    alone.close();
    const gateway = new Gateway(bytes);
    provider = overHttp(await gateway.listen());
    streamed = () => gateway.streamed;
    close = () => gateway.close();
    chars = bytes / Gateway.BYTES_PER_CHAR;
  } else {
    const alone = new Firehose(bytes, true);
    const spent = process.cpuUsage();
    await new Promise<void>((resolve) => alone.stream(undefined as never, new (class extends BaseObserver<StreamingEvent> {
      override onComplete(): void {
        resolve();
      }
    })(), { cancelled: false, reason: '', onCancelled: () => () => undefined }));
    sourceMs = workMs(spent);
    const firehose = new Firehose(bytes, kind === 'firehose');
    provider = firehose;
    streamed = () => firehose.streamed;
  }
  const hook = new SlowHook(10 * sourceMs / chars);
  hook.given = streamed;
  hook.bytesPerChar = bytes / chars;
  const heap = new Heap();
  hook.heap = heap;
  const [ended, totalMs, answerChars] = await run(provider, hook, kind === 'deaf' ? 4_000_000 : bytes);
  heap.look();
  close();
  return { ended, streamed: streamed(), sourceMs, totalMs, growth: heap.growth, samples: heap.samples, answerChars, lead: hook.lead };
}

void main().then((report) => {
  process.stdout.write(`${JSON.stringify(report)}\n`);
});
