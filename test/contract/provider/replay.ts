import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import { CancellationController } from '@core/base/Cancellation';
import type { StreamObserver } from '@core/base/StreamObserver';
import { MessageList } from '@core/message/MessageList';
import { ModelRequest } from '@core/model/ModelRequest';
import type { ModelResponse } from '@core/model/ModelResponse';
import { type StreamingEvent, StreamingEventType } from '@core/model/StreamingEvent';
import { ReplayProvider } from '@core/provider/ReplayProvider';
import type { RecordedAnswer } from '@core/provider/ReplayTransport';

export const CHUNK_SIZES: ReadonlyArray<number> = [1, 2, 3, 7, 64, 4096];

/** Records what a provider tells and complains about a broken order. */
export class RecordingObserver implements StreamObserver<StreamingEvent> {
  readonly events: StreamingEvent[] = [];
  text = '';
  reasoning = '';
  response: ModelResponse | undefined = undefined;
  error: ArkAgentError | undefined = undefined;
  endings = 0;
  late = 0;

  onNext(event: StreamingEvent): void {
    if (this.endings > 0 || this.response !== undefined) this.late++;
    this.events.push(event);
    if (event.type === StreamingEventType.textDelta) this.text += event.text;
    else if (event.type === StreamingEventType.reasoningDelta) this.reasoning += event.text;
    else this.response = event.response;
  }

  onError(error: ArkAgentError): void {
    this.endings++;
    this.error = error;
  }

  onComplete(): void {
    this.endings++;
  }
}

export function emptyRequest(): ModelRequest {
  return new ModelRequest('', MessageList.of([]), [], {});
}

export function replay(answer: RecordedAnswer): RecordingObserver {
  const observer = new RecordingObserver();
  new ReplayProvider(answer).stream(emptyRequest(), observer, CancellationController.never());
  return observer;
}

export interface ExpectedCall {
  id: string | null;
  name: string;
  arguments: string;
  argumentsAreJsonObject: boolean;
  mustNotRun?: boolean;
  idMustBeGenerated?: boolean;
  idMustBeMadeUnique?: boolean;
}

export interface Expected {
  outcome: 'complete' | 'error' | 'incomplete';
  text: string;
  reasoning: string;
  toolCalls: ExpectedCall[];
  finishReason: string | null;
  usage: { promptTokens: number; completionTokens: number; totalTokens: number } | null;
  error?: { kind?: string; code?: string | number; message?: string; status?: number } | null;
  retryable?: boolean;
  retryAfterMs?: number | string;
}

export interface StreamCase {
  name: string;
  bytes: Uint8Array;
  status: number;
  headers: Map<string, string>;
  cutsAt: number[];
  expect: Expected;
}

/** The folder of outside test data, beside the repository; '' where it is absent. */
export function dataFolder(name: string): string {
  const folder = fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
  return existsSync(folder) ? folder : '';
}

export function readCases(folder: string): StreamCase[] {
  if (folder === '') return [];
  const cases: StreamCase[] = [];
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.expected.json')).sort()) {
    const name = file.replace('.expected.json', '');
    const json = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    const body = existsSync(`${folder}/${name}.sse`) ? `${folder}/${name}.sse` : `${folder}/${name}.body`;
    cases.push({
      name,
      bytes: new Uint8Array(readFileSync(body)),
      status: json.http?.status ?? 200,
      headers: new Map(Object.entries<string>(json.http?.headers ?? {})),
      cutsAt: json.networkCutsAtByteOffsets ?? [],
      expect: json.expect ?? json,
    });
  }
  return cases;
}
