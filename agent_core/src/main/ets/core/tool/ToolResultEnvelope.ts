import { JsonObject } from '../json/JsonObject';
import { ToolResult } from './ToolResult';

/** What became of a call. */
export enum ToolCallStatus {
  /** It ran and answered. */
  ok = 'ok',
  /** Nothing was started. */
  rejected = 'rejected',
  /** An attempt was made and failed. */
  failed = 'failed',
  cancelled = 'cancelled',
  /** The effect can be neither confirmed nor ruled out: inspect, never repeat. */
  unknown = 'unknown'
}

/** Where the full text of a large result lies. */
export interface EnvelopeArtifact {
  file: string;
  chars: number;
  sha256: string;
}

/** Whether the call may be tried again. */
export interface EnvelopeRetry {
  allowed: boolean;
  afterMs?: number;
  requiresInspection?: boolean;
}

/** When a call ran. */
export interface EnvelopeTiming {
  /** Milliseconds since the epoch; 0 when nothing was started. */
  startedAtMs: number;
  /** Milliseconds, monotonic. */
  elapsedMs: number;
}

/** The parts of an envelope. */
export interface ToolResultEnvelopeInit {
  callId: string;
  tool: string;
  status: ToolCallStatus;
  /** Error code; empty when ok. */
  code?: string;
  summary: string;
  result: ToolResult;
  data?: JsonObject;
  artifact?: EnvelopeArtifact;
  retry?: EnvelopeRetry;
  timing: EnvelopeTiming;
}

/** The outcome of a call for interface, audit and loop; the model gets the tool message made from `result`. Immutable. */
export class ToolResultEnvelope {
  readonly callId: string;
  readonly tool: string;
  readonly status: ToolCallStatus;
  /** Stable error code; empty when ok. */
  readonly code: string;
  /** One readable line without raw output, paths or argument values. */
  readonly summary: string;
  /** Redacted and limited. */
  readonly result: ToolResult;
  readonly data: JsonObject | undefined;
  readonly artifact: EnvelopeArtifact | undefined;
  readonly retry: EnvelopeRetry | undefined;
  readonly timing: EnvelopeTiming;

  constructor(init: ToolResultEnvelopeInit) {
    this.callId = init.callId;
    this.tool = init.tool;
    this.status = init.status;
    this.code = init.code ?? '';
    this.summary = init.summary;
    this.result = init.result;
    this.data = init.data;
    this.artifact = init.artifact;
    this.retry = init.retry;
    this.timing = init.timing;
  }
}
