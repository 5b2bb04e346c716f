import { AgentMessage } from '../../message/AgentMessage';
import { ToolResult } from '../../tool/ToolResult';
import { HookAbort } from '../HookAbort';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookMark } from './HookMark';
import { HookOutcomeBase } from './HookOutcomeBase';

/** A hook ends the loop after the batch. */
export interface HookStop {
  readonly hookName: string;
  readonly reason: string;
}

/** What the afterToolCall hooks made of a result. */
export class ToolResultHookOutcome extends HookOutcomeBase {
  /** The same object as was asked about when no hook changed it; with an abort the last value. */
  readonly result: ToolResult;
  /** In hook order, also when a hook stopped; roles user and system only. */
  readonly injected: ReadonlyArray<AgentMessage>;
  readonly stop: HookStop | undefined;
  /** Which hook did what, in order. */
  readonly marks: ReadonlyArray<HookMark>;

  constructor(result: ToolResult, injected: ReadonlyArray<AgentMessage>, stop: HookStop | undefined,
    abort: HookAbort | undefined, diagnostics: ReadonlyArray<HookDiagnostic>, marks: ReadonlyArray<HookMark> = []) {
    super(abort, diagnostics);
    this.result = result;
    this.injected = injected;
    this.stop = stop;
    this.marks = marks;
  }
}
