import { CancellationSignal } from '../base/Cancellation';
import { FlowSignal } from '../base/FlowControl';
import { StreamObserver } from '../base/StreamObserver';
import { ModelProvider } from '../model/ModelProvider';
import { ModelRequest } from '../model/ModelRequest';
import { StreamingEvent } from '../model/StreamingEvent';
import { IdGenerator } from '../port/IdGenerator';
import { ScheduledTask, Scheduler } from '../port/Scheduler';
import { OpenAiCompatibleProvider } from './openai/OpenAiCompatibleProvider';
import { OpenAiOptions, OpenAiPorts, RetryOptions } from './openai/OpenAiOptions';
import { RecordedAnswer, ReplayTransport } from './ReplayTransport';

/**
 * A recorded answer of a chat completions API, read by the real provider code: the same bytes give the same events, whatever the piece
 * size. Nothing is retried and no clock is involved.
 */
export class ReplayProvider implements ModelProvider {
  private readonly provider: OpenAiCompatibleProvider;

  constructor(answer: RecordedAnswer) {
    const retry: RetryOptions = { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 };
    const options: OpenAiOptions = { baseUrl: 'https://replay.invalid/v1', retry: retry };
    const ports: OpenAiPorts = {
      transport: new ReplayTransport(answer), ids: new CountingIds(), scheduler: new NoTimers()
    };
    this.provider = new OpenAiCompatibleProvider(options, ports);
  }

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal,
    flow?: FlowSignal): void {
    this.provider.stream(request, observer, signal, flow);
  }
}

/** Ids `1`, `2`, …: a replay names the same things the same way every time. */
class CountingIds implements IdGenerator {
  private last: number = 0;

  nextId(): string {
    this.last++;
    return `${this.last}`;
  }
}

class NoTimers implements Scheduler, ScheduledTask {
  monotonicMs(): number {
    return 0;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    return this;
  }

  cancel(): void {
  }
}
