import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { AgentMessage, MessageRole } from '../message/AgentMessage';
import { AgentState } from '../state/AgentState';
import { AgentStopReason } from '../state/AgentStopReason';
import { ChildResult } from '../tool/ChildResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { BookedEffect, EffectBook, EffectState } from './EffectBook';

/** What the call of a child comes to, from the child's stored end: the same in every process that looks (DEC-54). */
export class ChildOutcome {
  /**
   * @param error what the run ended with, where this process saw it
   * @param timedOut the child was cancelled because its time was over
   */
  static of(child: AgentState, error: ArkAgentError | undefined, timedOut: boolean): ChildResult {
    switch (child.run?.stopReason) {
      case AgentStopReason.complete:
      case AgentStopReason.toolStop:
      case AgentStopReason.hookStop:
        return ChildResult.answered(answerOf(child), child.usage);
      case AgentStopReason.cancelled:
        return ChildOutcome.stopped(child, timedOut);
      default:
        return ChildOutcome.failed(child, error);
    }
  }

  /** The child cannot be reached, or is not this call's: nobody knows what it did. */
  static lost(child: AgentState | undefined, why: string): ChildResult {
    const effects: ReadonlyArray<BookedEffect> = child === undefined ? [] : EffectBook.read(child.slices);
    return ended(ToolCallStatus.unknown, ErrorCode.toolOutcomeUnknown, `${why}; it may or may not have acted${told(effects)}`, child);
  }

  private static stopped(child: AgentState, timedOut: boolean): ChildResult {
    const effects: ReadonlyArray<BookedEffect> = EffectBook.read(child.slices);
    const what: string = timedOut ? 'the sub-agent was stopped because its time was over' : 'the sub-agent was cancelled';
    if (effects.length > 0) {
      return ended(ToolCallStatus.unknown, timedOut ? ErrorCode.toolTimeout : ErrorCode.toolOutcomeUnknown,
        what + told(effects), child);
    }
    return timedOut ? ended(ToolCallStatus.failed, ErrorCode.toolTimeout, `${what}; nothing was changed`, child) :
      ended(ToolCallStatus.cancelled, ErrorCode.toolCancelled, `${what}; nothing was changed`, child);
  }

  private static failed(child: AgentState, error: ArkAgentError | undefined): ChildResult {
    const effects: ReadonlyArray<BookedEffect> = EffectBook.read(child.slices);
    const code: string = error?.code ?? codeOf(child.run?.stopReason);
    const message: string = `the sub-agent failed: ${error?.message ?? child.run?.stopReason ?? ''}${told(effects)}`;
    const unsure: boolean = effects.some((effect: BookedEffect) => effect.state !== EffectState.finished);
    return ended(unsure ? ToolCallStatus.unknown : ToolCallStatus.failed, unsure ? ErrorCode.toolOutcomeUnknown : code,
      message, child);
  }
}

function ended(status: ToolCallStatus, code: string, message: string, child: AgentState | undefined): ChildResult {
  return ChildResult.ended(status, code, message, child?.usage);
}

/** The last thing that the child said. */
function answerOf(child: AgentState): string {
  for (let at: number = child.history.length - 1; at >= 0; at--) {
    const message: AgentMessage | undefined = child.history.at(at);
    if (message !== undefined && message.role === MessageRole.assistant && message.text() !== '') {
      return message.text();
    }
  }
  return 'The sub-agent ended without words.';
}

/** `; finished: pay, put; unknown: send; do not repeat them`, or nothing. */
function told(effects: ReadonlyArray<BookedEffect>): string {
  const parts: string[] = [];
  const finished: string[] = namesOf(effects, true);
  const open: string[] = namesOf(effects, false);
  if (finished.length > 0) {
    parts.push(`; finished: ${finished.join(', ')}`);
  }
  if (open.length > 0) {
    parts.push(`; unknown: ${open.join(', ')}`);
  }
  return parts.length === 0 ? '' : `${parts.join('')}; do not repeat them`;
}

function namesOf(effects: ReadonlyArray<BookedEffect>, finished: boolean): string[] {
  return effects.filter((effect: BookedEffect) => (effect.state === EffectState.finished) === finished)
    .map<string>((effect: BookedEffect) => effect.tool);
}

function codeOf(stopReason: AgentStopReason | undefined): string {
  switch (stopReason) {
    case AgentStopReason.maxTurns:
      return ErrorCode.maxTurnsReached;
    case AgentStopReason.loopDetected:
      return ErrorCode.loopDetected;
    case AgentStopReason.aborted:
      return ErrorCode.hookAbort;
    default:
      return ErrorCode.toolExecutionFailed;
  }
}
