import { ToolRiskLevel } from '../model/ToolDefinition';
import {
  EffectProbe, ToolCancellation, ToolContract, ToolDescriber, ToolEffect, ToolResources
} from './ToolContract';

/** A contract with every default filled in. Immutable; later changes of the author's object change nothing. */
export class ResolvedToolContract {
  static readonly DEFAULT_TIMEOUT_MS: number = 60000;
  static readonly DEFAULT_MAX_RESULT_CHARS: number = 16000;
  /** What a 32-bit timer can hold; a longer delay would fire at once. */
  static readonly MAX_TIMEOUT_MS: number = 2147483647;
  /** Milliseconds; 0 means no time-out. */
  readonly timeoutMs: number;
  /** Milliseconds; 0 means any time. */
  readonly queueTimeoutMs: number;
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
  readonly cancellation: ToolCancellation;
  readonly concurrencySafe: boolean;
  readonly background: boolean;
  /** UTF-16 code units. */
  readonly maxResultChars: number;
  readonly resources: ToolResources | undefined;
  readonly pollable: boolean;
  readonly probe: EffectProbe | undefined;
  /** Name for people; empty when the author gave none. */
  readonly title: string;
  readonly describer: ToolDescriber | undefined;

  constructor(contract: ToolContract, risk: ToolRiskLevel) {
    this.timeoutMs = contract.timeoutMs ?? ResolvedToolContract.DEFAULT_TIMEOUT_MS;
    this.queueTimeoutMs = contract.queueTimeoutMs ?? 0;
    this.effect = contract.effect ?? ResolvedToolContract.defaultEffect(risk);
    this.idempotent = contract.idempotent ?? false;
    this.cancellation = contract.cancellation ?? ToolCancellation.cooperative;
    this.concurrencySafe = contract.concurrencySafe ?? false;
    this.background = contract.background ?? false;
    this.maxResultChars = contract.maxResultChars ?? ResolvedToolContract.DEFAULT_MAX_RESULT_CHARS;
    this.resources = contract.resources;
    this.pollable = contract.pollable ?? false;
    this.probe = contract.probe;
    this.title = contract.title ?? '';
    this.describer = contract.describer;
  }

  /** DEC-30; anything that is neither safe nor sensitive counts as dangerous. */
  static defaultEffect(risk: ToolRiskLevel): ToolEffect {
    if (risk === ToolRiskLevel.safe) {
      return ToolEffect.none;
    }
    return risk === ToolRiskLevel.sensitive ? ToolEffect.reversible : ToolEffect.irreversible;
  }

  /** The same promises with other resources. @internal */
  withResources(resources: ToolResources): ResolvedToolContract {
    const contract: ToolContract = {
      timeoutMs: this.timeoutMs, queueTimeoutMs: this.queueTimeoutMs, effect: this.effect, idempotent: this.idempotent, cancellation: this.cancellation,
      concurrencySafe: this.concurrencySafe, background: this.background, maxResultChars: this.maxResultChars, resources: resources,
      pollable: this.pollable, probe: this.probe, title: this.title, describer: this.describer
    };
    return new ResolvedToolContract(contract, ToolRiskLevel.dangerous);
  }

  /** Numbers that no author can mean. */
  numberProblems(): string[] {
    const problems: string[] = [];
    if (!(this.timeoutMs >= 0 && this.timeoutMs <= ResolvedToolContract.MAX_TIMEOUT_MS)) {
      problems.push(`timeoutMs must be 0 (no time-out) to ${ResolvedToolContract.MAX_TIMEOUT_MS}`);
    }
    if (!(this.queueTimeoutMs >= 0 && this.queueTimeoutMs <= ResolvedToolContract.MAX_TIMEOUT_MS)) {
      problems.push(`queueTimeoutMs must be 0 (any time) to ${ResolvedToolContract.MAX_TIMEOUT_MS}`);
    }
    if (!(this.maxResultChars >= 0 && Number.isInteger(this.maxResultChars))) {
      problems.push('maxResultChars must be a whole number from 0');
    }
    return problems;
  }

  /** Where risk level and effect contradict each other (DEC-30). */
  riskProblems(risk: ToolRiskLevel): string[] {
    if (risk === ToolRiskLevel.safe && this.effect !== ToolEffect.none) {
      return [`a safe tool runs unasked and cannot have the effect ${this.effect}`];
    }
    if (risk === ToolRiskLevel.dangerous && this.effect === ToolEffect.none) {
      return ['a dangerous tool cannot have the effect none'];
    }
    return [];
  }
}
