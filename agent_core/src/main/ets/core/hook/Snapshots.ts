import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { AgentMessage, AgentMessageInit } from '../message/AgentMessage';
import { ContentKind, ContentPart } from '../message/ContentPart';
import { ToolCall } from '../message/ToolCall';
import { ModelOptions, ModelRequest } from '../model/ModelRequest';
import { ModelResponse, ModelResponseInit } from '../model/ModelResponse';
import { ToolResult } from '../tool/ToolResult';
import { EnvelopeArtifact, EnvelopeRetry, EnvelopeTiming, ToolResultEnvelope, ToolResultEnvelopeInit } from '../tool/ToolResultEnvelope';

/**
 * Copies for foreign code: hooks and listeners get these, so that nothing they do to them reaches the runtime; values
 * they hand in are copied the same way. Shared are only the history view and tool definitions, whose JSON is sealed.
 */
export class Snapshots {
  static call(call: ToolCall): ToolCall {
    return new ToolCall(call.id, call.name, call.argumentsJson, call.index);
  }

  static calls(calls: ReadonlyArray<ToolCall>): ToolCall[] {
    return calls.map<ToolCall>((call: ToolCall): ToolCall => Snapshots.call(call));
  }

  static message(message: AgentMessage): AgentMessage {
    const init: AgentMessageInit = message.toInit();
    init.contents = Snapshots.contents(message.contents);
    init.toolCalls = Snapshots.calls(message.toolCalls);
    init.extras = Snapshots.sealed(message.extras);
    return new AgentMessage(init);
  }

  static messages(messages: ReadonlyArray<AgentMessage>): AgentMessage[] {
    return messages.map<AgentMessage>((message: AgentMessage): AgentMessage => Snapshots.message(message));
  }

  static contents(parts: ReadonlyArray<ContentPart>): ContentPart[] {
    return parts.map<ContentPart>((part: ContentPart): ContentPart => Snapshots.content(part));
  }

  static response(response: ModelResponse): ModelResponse {
    const init: ModelResponseInit = response.toInit();
    init.toolCalls = Snapshots.calls(response.toolCalls);
    init.extras = Snapshots.sealed(response.extras);
    return new ModelResponse(init);
  }

  /** The messages are the same bounded view: nothing here may cost in proportion to the history. */
  static request(request: ModelRequest): ModelRequest {
    const known: ModelOptions = request.options;
    const options: ModelOptions = {
      model: known.model, temperature: known.temperature, topP: known.topP, maxOutputTokens: known.maxOutputTokens,
      stop: known.stop?.slice(), extra: known.extra?.clone()
    };
    return new ModelRequest(request.systemPrompt, request.messages, request.tools.slice(), options);
  }

  static result(result: ToolResult): ToolResult {
    return new ToolResult(Snapshots.contents(result.contents), result.isError, result.stopFlag, result.metadata?.clone());
  }

  static envelope(envelope: ToolResultEnvelope): ToolResultEnvelope {
    const timing: EnvelopeTiming = { startedAtMs: envelope.timing.startedAtMs, elapsedMs: envelope.timing.elapsedMs };
    const init: ToolResultEnvelopeInit = {
      callId: envelope.callId, tool: envelope.tool, status: envelope.status, code: envelope.code,
      summary: envelope.summary, result: Snapshots.result(envelope.result), data: envelope.data?.clone(),
      artifact: Snapshots.artifact(envelope.artifact), retry: Snapshots.retry(envelope.retry), timing: timing
    };
    return new ToolResultEnvelope(init);
  }

  static error(error: ArkAgentError): ArkAgentError {
    const options: ArkAgentErrorOptions = {
      retryability: error.retryability, retryAfterMs: error.retryAfterMs, cause: error.cause,
      details: Snapshots.details(error.details)
    };
    const copy: ArkAgentError = new ArkAgentError(error.layer, error.code, error.message, options);
    copy.stack = error.stack;
    return copy;
  }

  private static artifact(known: EnvelopeArtifact | undefined): EnvelopeArtifact | undefined {
    return known === undefined ? undefined : { file: known.file, chars: known.chars, sha256: known.sha256 };
  }

  private static retry(known: EnvelopeRetry | undefined): EnvelopeRetry | undefined {
    return known === undefined ? undefined :
      { allowed: known.allowed, afterMs: known.afterMs, requiresInspection: known.requiresInspection };
  }

  private static details(details: ReadonlyMap<string, ErrorDetail> | undefined): Map<string, ErrorDetail> | undefined {
    if (details === undefined) {
      return undefined;
    }
    const copy: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.forEach((value: ErrorDetail, key: string): void => {
      copy.set(key, value);
    });
    return copy;
  }

  private static content(part: ContentPart): ContentPart {
    switch (part.kind) {
      case ContentKind.text:
        return ContentPart.text(part.asText() ?? '');
      case ContentKind.image:
        return ContentPart.image(part.asUri() ?? '', part.mimeType() ?? '');
      case ContentKind.audio:
        return ContentPart.audio(part.asUri() ?? '', part.mimeType() ?? '');
      case ContentKind.file:
        return ContentPart.file(part.asUri() ?? '', part.mimeType() ?? '');
      default:
        return ContentPart.json((part.asJson() ?? JsonValue.nullValue()).clone());
    }
  }

  private static sealed(json: JsonObject | undefined): JsonObject | undefined {
    return json === undefined || json.sealed ? json : json.clone().seal();
  }
}
