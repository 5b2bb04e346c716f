import { ArkAgentError } from '../base/ArkAgentError';
import { CancellationController } from '../base/Cancellation';
import { Result } from '../base/Result';
import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolCall } from '../message/ToolCall';
import { ScheduledTask, Scheduler } from '../port/Scheduler';
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
  /** Milliseconds that a diagnosis may take before it counts as "no loop": 30,000; needs a scheduler, 0 = no limit. */
  llmTimeoutMs?: number;
}

/**
 * A loop is a window full of equal call signatures; optionally a model is asked about long runs.
 *
 * A signature is `name:canonical arguments`: key order does not matter, array order does. Arguments that do not parse are
 * compared as raw text.
 */
export class DefaultLoopDetector implements LoopDetector {
  readonly windowSize: number;
  private readonly codec: JsonCodec = new JsonCodec();
  private readonly firstCheckTurn: number;
  private readonly checkInterval: number;
  private readonly confidenceThreshold: number;
  private readonly timeoutMs: number;
  private readonly diagnosis: LoopDiagnosis | undefined;
  private readonly scheduler: Scheduler | undefined;

  /** @param scheduler for the time-out of the diagnosis; without one it has none */
  constructor(config?: LoopDetectorConfig, diagnosis?: LoopDiagnosis, scheduler?: Scheduler) {
    this.windowSize = Math.max(2, config?.toolLoopThreshold ?? 5);
    this.firstCheckTurn = config?.llmFirstCheckTurn ?? 30;
    this.checkInterval = Math.max(1, config?.llmCheckInterval ?? 10);
    this.confidenceThreshold = config?.llmConfidenceThreshold ?? 0.8;
    this.timeoutMs = config?.llmTimeoutMs ?? 30000;
    this.diagnosis = diagnosis;
    this.scheduler = scheduler;
  }

  static signatureOf(call: ToolCall): string {
    return signature(new JsonCodec(), call);
  }

  signatureOf(call: ToolCall): string {
    return signature(this.codec, call);
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
    const control: CancellationController = CancellationController.derive(state.signal);
    try {
      const asked: Promise<LoopVerdict> =
        Promise.resolve<LoopVerdict>(diagnosis.diagnose(state.messages, control.signal));
      const verdict: LoopVerdict | undefined = await this.limited(asked, control);
      if (verdict !== undefined && verdict.isLoop === true && typeof verdict.confidence === 'number' &&
        verdict.confidence > this.confidenceThreshold) {
        return LoopDetectorResult.loop(verdict.reason ?? 'the run makes no progress', LoopKind.llm);
      }
    } catch (e) {
      // A broken second opinion must never stop a run.
    } finally {
      control.dispose();
    }
    return LoopDetectorResult.notLoop();
  }

  /** @returns undefined when the time is over or the run was cancelled; the diagnosis is told to stop */
  private limited(pending: Promise<LoopVerdict>, control: CancellationController): Promise<LoopVerdict | undefined> {
    return new Promise<LoopVerdict | undefined>((resolve: (verdict: LoopVerdict | undefined) => void,
      reject: (error: Error) => void): void => {
      const timer: ScheduledTask | undefined = this.timeoutMs > 0 ?
        this.scheduler?.schedule(this.timeoutMs, (): void => {
          control.cancel('the diagnosis took too long');
        }) : undefined;
      control.signal.onCancelled((reason: string): void => {
        timer?.cancel();
        resolve(undefined);
      });
      pending.then((verdict: LoopVerdict): void => {
        timer?.cancel();
        resolve(verdict);
      }, (error: Error): void => {
        timer?.cancel();
        reject(error);
      });
    });
  }
}

function signature(codec: JsonCodec, call: ToolCall): string {
  const parsed: Result<JsonObject, ArkAgentError> = codec.parseObject(call.argumentsJson === '' ? '{}' : call.argumentsJson);
  if (!parsed.ok) {
    return `${call.name}:${call.argumentsJson}`;
  }
  const canonical: Result<string, ArkAgentError> = codec.canonicalize(JsonValue.object(parsed.value));
  return `${call.name}:${canonical.ok ? canonical.value : call.argumentsJson}`;
}
