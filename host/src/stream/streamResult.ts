import {
  BaseObserver, CancellationController, MessageList, ModelRequest, ReplayProvider, type ArkAgentError,
  type ModelResponse, type RecordedAnswer, type StreamingEvent,
} from 'agent_core';

export interface StreamedCall {
  id: string;
  name: string;
  arguments: string;
  mustNotRun: boolean;
}

export interface StreamedError {
  layer: string;
  code: string;
  message: string;
  providerCode?: string | number;
  status?: number;
  retryAfterMs?: number;
}

/** What a recorded answer comes to, as `arkagent stream --json` prints it. */
export interface StreamResult {
  outcome: 'complete' | 'error' | 'incomplete';
  text: string;
  reasoning: string;
  toolCalls: StreamedCall[];
  finishReason: string | null;
  usage: { promptTokens: number; completionTokens: number; totalTokens: number } | null;
  error: StreamedError | null;
}

class Collector extends BaseObserver<StreamingEvent> {
  response: ModelResponse | undefined = undefined;
  error: ArkAgentError | undefined = undefined;

  override onNext(event: StreamingEvent): void {
    this.response = event.response ?? this.response;
  }

  override onError(error: ArkAgentError): void {
    this.error = error;
  }
}

/** Reads a recorded answer with the provider client that real requests use. */
export function readRecordedAnswer(answer: RecordedAnswer): StreamResult {
  const collector = new Collector();
  const request = new ModelRequest('', MessageList.of([]), [], {});
  new ReplayProvider(answer).stream(request, collector, CancellationController.never());
  const { response, error } = collector;
  return {
    outcome: response === undefined ? 'error' : response.outcome,
    text: response?.text ?? '',
    reasoning: response?.reasoning ?? '',
    toolCalls: callsOf(response),
    finishReason: response?.rawFinishReason ?? null,
    usage: usageOf(response),
    error: error === undefined ? null : errorOf(error),
  };
}

function callsOf(response: ModelResponse | undefined): StreamedCall[] {
  if (response === undefined) return [];
  const mustNotRun = !response.callsMayRun;
  return response.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.argumentsJson, mustNotRun }));
}

function usageOf(response: ModelResponse | undefined): StreamResult['usage'] {
  const usage = response?.usage;
  if (usage === undefined) return null;
  return { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens, totalTokens: usage.totalTokens };
}

function errorOf(error: ArkAgentError): StreamedError {
  const told: StreamedError = { layer: error.layer, code: error.code, message: error.message };
  const providerCode = error.details?.get('providerCode');
  const status = error.details?.get('status');
  if (typeof providerCode === 'string' || typeof providerCode === 'number') told.providerCode = providerCode;
  if (typeof status === 'number') told.status = status;
  if (error.retryAfterMs !== undefined) told.retryAfterMs = error.retryAfterMs;
  return told;
}
