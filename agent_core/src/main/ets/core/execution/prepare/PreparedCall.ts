import { ApprovalDeciders } from '../../approval/ApprovalModes';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolEffect } from '../../tool/ToolContract';

export enum PreparedVerdict {
  /** Answered without running; `result` says why. */
  rejected = 'rejected',
  /** May run. */
  allowed = 'allowed',
  /** A person has to consent first. */
  ask = 'ask'
}

/** The parts of a prepared call. */
export interface PreparedCallInit {
  original: ToolCall;
  call: ToolCall;
  verdict: PreparedVerdict;
  tool?: RegisteredTool;
  args?: JsonObject;
  /** Canonical text of the arguments, where it had to be made. */
  canonical?: string;
  result?: CallResult;
  /** Why a person is asked. */
  reason?: string;
  /** Who lets it run; default the policy. */
  decider?: string;
  grantId?: string;
  predecessorUnknown?: boolean;
  /** The arguments hold placeholders, whose values only the executor gets. */
  sealed?: boolean;
  warnings: ReadonlyArray<string>;
}

/** A call after phase 1: nothing has happened yet, and what would happen is settled. Immutable. */
export class PreparedCall {
  /** As the model wrote it. */
  readonly original: ToolCall;
  /** After hooks; id and index are the original's. */
  readonly call: ToolCall;
  readonly verdict: PreparedVerdict;
  /** Set unless rejected. */
  readonly tool: RegisteredTool | undefined;
  /** Set unless rejected. */
  readonly args: JsonObject | undefined;
  /** Canonical text of `args`; set for calls that ask or have an effect, which are bound by it. */
  readonly canonical: string | undefined;
  /** Set when rejected. */
  readonly result: CallResult | undefined;
  readonly reason: string;
  readonly warnings: ReadonlyArray<string>;
  /** Who lets it run: policy, `grant:<id>`, or who approved it. */
  readonly decider: string;
  /** The grant that stands in for a person; its use is counted when the call starts. */
  readonly grantId: string | undefined;
  /** The same effect was begun before, and nobody knows whether it happened. */
  readonly predecessorUnknown: boolean;
  /** `args` and `call` hold placeholders in the place of secrets; they are opened just before the executor. */
  readonly sealed: boolean;

  constructor(init: PreparedCallInit) {
    this.original = init.original;
    this.call = init.call;
    this.verdict = init.verdict;
    this.tool = init.tool;
    this.args = init.args;
    this.canonical = init.canonical;
    this.result = init.result;
    this.reason = init.reason ?? '';
    this.warnings = init.warnings;
    this.grantId = init.grantId;
    this.decider = init.decider ?? (init.grantId === undefined ? ApprovalDeciders.POLICY : ApprovalDeciders.grant(init.grantId));
    this.predecessorUnknown = init.predecessorUnknown ?? false;
    this.sealed = init.sealed ?? false;
  }

  static rejected(original: ToolCall, call: ToolCall, result: CallResult): PreparedCall {
    const init: PreparedCallInit = {
      original: original, call: call, verdict: PreparedVerdict.rejected, result: result, warnings: []
    };
    return new PreparedCall(init);
  }

  /** The same call, let through by a person. */
  decidedBy(decider: string): PreparedCall {
    const init: PreparedCallInit = this.toInit();
    init.verdict = PreparedVerdict.allowed;
    init.decider = decider;
    init.grantId = undefined;
    return new PreparedCall(init);
  }

  /** The same call, which a person has to decide after all. */
  asking(reason: string, predecessorUnknown: boolean): PreparedCall {
    const init: PreparedCallInit = this.toInit();
    init.verdict = PreparedVerdict.ask;
    init.reason = reason;
    init.predecessorUnknown = predecessorUnknown;
    init.grantId = undefined;
    init.decider = undefined;
    return new PreparedCall(init);
  }

  private toInit(): PreparedCallInit {
    const init: PreparedCallInit = {
      original: this.original, call: this.call, verdict: this.verdict, tool: this.tool, args: this.args,
      canonical: this.canonical, result: this.result, reason: this.reason, warnings: this.warnings, decider: this.decider, grantId: this.grantId,
      predecessorUnknown: this.predecessorUnknown, sealed: this.sealed
    };
    return init;
  }

  /** An open copy of the arguments for the executor: what it does to them changes nothing. */
  freshArgs(): JsonObject {
    return this.args === undefined ? new JsonObject() : this.args.clone();
  }

  /** The call may change the world: it is journalled and never repeated blindly. */
  get hasEffect(): boolean {
    return this.tool !== undefined && this.tool.contract.effect !== ToolEffect.none;
  }

  /** A child session does the work. */
  get delegates(): boolean {
    return this.tool !== undefined && this.tool.delegates;
  }
}
