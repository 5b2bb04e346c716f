import { JsonObject } from '../json/JsonObject';
import { ToolCall } from '../message/ToolCall';
import { CallResult } from '../state/CallResult';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolEffect } from '../tool/ToolContract';

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
  result?: CallResult;
  /** Why a person is asked. */
  reason?: string;
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
  /** Set when rejected. */
  readonly result: CallResult | undefined;
  readonly reason: string;
  readonly warnings: ReadonlyArray<string>;

  constructor(init: PreparedCallInit) {
    this.original = init.original;
    this.call = init.call;
    this.verdict = init.verdict;
    this.tool = init.tool;
    this.args = init.args;
    this.result = init.result;
    this.reason = init.reason ?? '';
    this.warnings = init.warnings;
  }

  static rejected(original: ToolCall, call: ToolCall, result: CallResult): PreparedCall {
    const init: PreparedCallInit = {
      original: original, call: call, verdict: PreparedVerdict.rejected, result: result, warnings: []
    };
    return new PreparedCall(init);
  }

  /** An open copy of the arguments for the executor: what it does to them changes nothing. */
  freshArgs(): JsonObject {
    return this.args === undefined ? new JsonObject() : this.args.clone();
  }

  /** The call may change the world: it is journalled and never repeated blindly. */
  get hasEffect(): boolean {
    return this.tool !== undefined && this.tool.contract.effect !== ToolEffect.none;
  }
}
