import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolCall } from '../message/ToolCall';
import { LoopCheck, LoopDetector, LoopDetectorResult, LoopDiagnosis, LoopKind, LoopVerdict } from './LoopDetector';

/** Thresholds; a member left out takes the default named at its line. */
export interface LoopDetectorConfig {
  /** Equal signatures in a row that make a loop: 5; at least 2. */
  toolLoopThreshold?: number;
  /** First turn at which the diagnosis is asked: 30. */
  llmFirstCheckTurn?: number;
  /** Turns between two diagnoses: 10. */
  llmCheckInterval?: number;
  /** A verdict counts above this confidence: 0.8. */
  llmConfidenceThreshold?: number;
}

/**
 * A loop is a window full of equal call signatures; optionally a model is asked about long runs.
 *
 * A signature is `name:canonical arguments`: key order does not matter, array order does. Arguments that do not parse are
 * compared as raw text.
 */
export class DefaultLoopDetector implements LoopDetector {
  readonly windowSize: number;
  private readonly firstCheckTurn: number;
  private readonly checkInterval: number;
  private readonly confidenceThreshold: number;
  private readonly diagnosis: LoopDiagnosis | undefined;

  constructor(config?: LoopDetectorConfig, diagnosis?: LoopDiagnosis) {
    this.windowSize = Math.max(2, config?.toolLoopThreshold ?? 5);
    this.firstCheckTurn = config?.llmFirstCheckTurn ?? 30;
    this.checkInterval = Math.max(1, config?.llmCheckInterval ?? 10);
    this.confidenceThreshold = config?.llmConfidenceThreshold ?? 0.8;
    this.diagnosis = diagnosis;
  }

  static signatureOf(call: ToolCall): string {
    const codec: JsonCodec = new JsonCodec();
    const parsed: Result<JsonObject, ArkAgentError> = codec.parseObject(call.argumentsJson === '' ? '{}' : call.argumentsJson);
    if (!parsed.ok) {
      return `${call.name}:${call.argumentsJson}`;
    }
    const canonical: Result<string, ArkAgentError> = codec.canonicalize(JsonValue.object(parsed.value));
    return `${call.name}:${canonical.ok ? canonical.value : call.argumentsJson}`;
  }

  signatureOf(call: ToolCall): string {
    return DefaultLoopDetector.signatureOf(call);
  }

  async check(state: LoopCheck): Promise<LoopDetectorResult> {
    if (this.isFullOfOne(state.window)) {
      const tool: string = state.window[0].substring(0, state.window[0].indexOf(':'));
      return LoopDetectorResult.loop(`${this.windowSize} equal calls of ${tool} in a row`, LoopKind.toolSignature);
    }
    if (this.diagnosis === undefined || !this.isDiagnosisTurn(state.turn)) {
      return LoopDetectorResult.notLoop();
    }
    return this.askDiagnosis(this.diagnosis, state);
  }

  private isFullOfOne(window: ReadonlyArray<string>): boolean {
    if (window.length < this.windowSize) {
      return false;
    }
    const first: string = window[window.length - this.windowSize];
    for (let i: number = window.length - this.windowSize + 1; i < window.length; i++) {
      if (window[i] !== first) {
        return false;
      }
    }
    return true;
  }

  private isDiagnosisTurn(turn: number): boolean {
    return turn >= this.firstCheckTurn && (turn - this.firstCheckTurn) % this.checkInterval === 0;
  }

  private async askDiagnosis(diagnosis: LoopDiagnosis, state: LoopCheck): Promise<LoopDetectorResult> {
    try {
      const verdict: LoopVerdict = await diagnosis.diagnose(state.messages, state.signal);
      if (verdict.isLoop && verdict.confidence > this.confidenceThreshold) {
        return LoopDetectorResult.loop(verdict.reason, LoopKind.llm);
      }
    } catch (e) {
      // A broken second opinion must never stop a run.
    }
    return LoopDetectorResult.notLoop();
  }
}
