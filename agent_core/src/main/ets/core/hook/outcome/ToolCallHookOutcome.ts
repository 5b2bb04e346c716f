import { ToolCall } from '../../message/ToolCall';
import { HookAbort } from '../HookAbort';
import { HookDenial } from '../HookDenial';
import { HookDiagnostic } from '../HookDiagnostic';
import { HookMark } from './HookMark';
import { HookOutcomeBase } from './HookOutcomeBase';

/** The parts of an outcome. */
export interface ToolCallHookOutcomeInit {
  call: ToolCall;
  rewritten: boolean;
  denial?: HookDenial;
  deferReasons: ReadonlyArray<string>;
  warnings: ReadonlyArray<string>;
  abort?: HookAbort;
  diagnostics: ReadonlyArray<HookDiagnostic>;
  marks?: ReadonlyArray<HookMark>;
}

/** What the beforeToolCall hooks said about a call. Abort beats denial, denial beats defer (DEC-32). */
export class ToolCallHookOutcome extends HookOutcomeBase {
  /** The call after all rewrites so far, always with the original id and index. */
  readonly call: ToolCall;
  /** Name or arguments differ from the call that was asked about. */
  readonly rewritten: boolean;
  /** When set, the call does not run and is answered with `denial.toResult()`. */
  readonly denial: HookDenial | undefined;
  /** Why hooks want a person to decide, in hook order; the first one wins where only one can be shown. */
  readonly deferReasons: ReadonlyArray<string>;
  /** Notes of hooks that let the call pass, in hook order. */
  readonly warnings: ReadonlyArray<string>;
  /** Which hook did what, in order. */
  readonly marks: ReadonlyArray<HookMark>;

  constructor(init: ToolCallHookOutcomeInit) {
    super(init.abort, init.diagnostics);
    this.call = init.call;
    this.rewritten = init.rewritten;
    this.denial = init.denial;
    this.deferReasons = init.deferReasons;
    this.warnings = init.warnings;
    this.marks = init.marks ?? [];
  }

  /** A person decides, unless a gate, a policy or a denial refuses the call. */
  get deferred(): boolean {
    return this.deferReasons.length > 0;
  }
}
