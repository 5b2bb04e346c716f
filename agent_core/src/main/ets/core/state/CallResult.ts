import { JsonObject } from '../json/JsonObject';
import { ContentPart } from '../message/ContentPart';
import { ToolResult } from '../tool/ToolResult';
import { EnvelopeArtifact, ToolCallStatus } from '../tool/ToolResultEnvelope';

/** The parts of a result. */
export interface CallResultInit {
  status: ToolCallStatus;
  code: string;
  contents: ReadonlyArray<ContentPart>;
  isError: boolean;
  stopFlag: boolean;
  metadata?: JsonObject;
  /** Milliseconds, monotonic. */
  elapsedMs: number;
  artifact?: EnvelopeArtifact;
}

/** The stored answer of a call: redacted and limited already. Immutable. */
export class CallResult {
  readonly status: ToolCallStatus;
  /** Error code; empty when ok. */
  readonly code: string;
  readonly contents: ReadonlyArray<ContentPart>;
  readonly isError: boolean;
  readonly stopFlag: boolean;
  readonly metadata: JsonObject | undefined;
  readonly elapsedMs: number;
  readonly artifact: EnvelopeArtifact | undefined;

  constructor(init: CallResultInit) {
    this.status = init.status;
    this.code = init.code;
    this.contents = init.contents;
    this.isError = init.isError;
    this.stopFlag = init.stopFlag;
    this.metadata = init.metadata;
    this.elapsedMs = init.elapsedMs;
    this.artifact = init.artifact;
  }

  static of(status: ToolCallStatus, code: string, result: ToolResult, elapsedMs: number): CallResult {
    const init: CallResultInit = {
      status: status, code: code, contents: result.contents, isError: result.isError, stopFlag: result.stopFlag,
      metadata: result.metadata, elapsedMs: elapsedMs
    };
    return new CallResult(init);
  }

  withStatus(status: ToolCallStatus, code: string): CallResult {
    const init: CallResultInit = {
      status: status, code: code, contents: this.contents, isError: this.isError, stopFlag: this.stopFlag,
      metadata: this.metadata, elapsedMs: this.elapsedMs, artifact: this.artifact
    };
    return new CallResult(init);
  }

  /** The same outcome, of which the full text lies elsewhere. */
  withArtifact(preview: ToolResult, artifact: EnvelopeArtifact): CallResult {
    const init: CallResultInit = {
      status: this.status, code: this.code, contents: preview.contents, isError: preview.isError,
      stopFlag: preview.stopFlag, metadata: preview.metadata, elapsedMs: this.elapsedMs, artifact: artifact
    };
    return new CallResult(init);
  }

  toToolResult(): ToolResult {
    return new ToolResult(this.contents, this.isError, this.stopFlag, this.metadata);
  }

  /** The same outcome with other contents and flags, as an afterToolCall hook may hand it on. */
  withToolResult(result: ToolResult): CallResult {
    const init: CallResultInit = {
      status: this.status, code: this.code, contents: result.contents, isError: result.isError,
      stopFlag: result.stopFlag, metadata: result.metadata, elapsedMs: this.elapsedMs, artifact: this.artifact
    };
    return new CallResult(init);
  }
}
