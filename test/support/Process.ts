import type { ApprovalDecisionResult } from '@core/approval/ApprovalDecisionResult';
import type { PendingApprovalBatch } from '@core/approval/PendingApprovalBatch';
import type { ArkAgentError } from '@core/base/ArkAgentError';
import type { Result } from '@core/base/Result';
import type { AgentController } from '@core/control/AgentController';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import type { ScriptedProvider } from '@core/provider/ScriptedProvider';
import type { AgentRuntime } from '@core/runtime/AgentRuntime';
import type { RunOutcome } from '@core/runtime/segment/RunOutcome';
import type { StoppingStateStorage } from '@core/testing/StoppingStateStorage';
import type { ToolRegistry } from '@core/tool/ToolRegistry';
import type { EventLog, LoggingObserver } from './EventLog';
import type { World } from './World';

export interface ProcessParts {
  runtime: AgentRuntime;
  controller: AgentController;
  provider: ScriptedProvider;
  storage: StoppingStateStorage;
  log: EventLog;
  registry: ToolRegistry;
  world: World;
}

/** What became of a segment: a stop reason, or the code of the error it failed with, or `stopped` for a dead process. */
export type Ending = string;

/** One process with a session open: the runtime and everything that dies with it. */
export class Process {
  readonly runtime: AgentRuntime;
  readonly controller: AgentController;
  readonly provider: ScriptedProvider;
  readonly storage: StoppingStateStorage;
  readonly log: EventLog;
  readonly registry: ToolRegistry;
  readonly world: World;
  /** The observer of the newest segment. */
  observer: LoggingObserver;
  /** The result of the newest segment. */
  result: Result<RunOutcome, ArkAgentError> | undefined = undefined;

  constructor(parts: ProcessParts) {
    this.runtime = parts.runtime;
    this.controller = parts.controller;
    this.provider = parts.provider;
    this.storage = parts.storage;
    this.log = parts.log;
    this.registry = parts.registry;
    this.world = parts.world;
    this.observer = parts.log.observer();
  }

  /** Sends a user message and waits for the end of the segment, or for the death of the process. */
  say(text: string): Promise<Ending> {
    this.observer = this.log.observer();
    return this.ended(this.runtime.runStream([AgentMessage.user(text)], this.observer));
  }

  resume(): Promise<Ending> {
    this.observer = this.log.observer();
    return this.ended(this.runtime.resume(this.observer));
  }

  /** The questions that a person would see, in order, as ids. */
  questions(): string[] {
    return this.controller.listPendingApprovals().map((item) => item.approvalId);
  }

  batch(): PendingApprovalBatch {
    const batch = this.runtime.getPendingApprovalBatch();
    if (batch === undefined) {
      throw new Error('no question is open');
    }
    return batch;
  }

  /** Approves every open question, one after another. */
  async approveAll(): Promise<ApprovalDecisionResult[]> {
    const results: ApprovalDecisionResult[] = [];
    for (const id of this.questions()) {
      results.push(await this.controller.approve(id));
    }
    return results;
  }

  /** The process is gone: nothing it does reaches the disk any more. */
  kill(): void {
    this.storage.stop();
  }

  /** The conversation as `role:text` lines, results of tools with their call id. */
  history(): string[] {
    return this.runtime.snapshot().history.toArray().map(line);
  }

  /** The messages of the newest request to the model, as in `history`. */
  lastRequest(): string[] {
    return this.provider.requests().at(-1)?.messages.toArray().map(line) ?? [];
  }

  /** Waits for a result, or for the death of the process: then `stopped`. */
  async ended(run: Promise<Result<RunOutcome, ArkAgentError>>): Promise<Ending> {
    const settled = await Promise.race([run, this.storage.whenStopped]);
    if (settled === undefined) {
      return 'stopped';
    }
    this.result = settled;
    return settled.ok ? settled.value.stopReason : settled.error.code;
  }
}

function line(message: AgentMessage): string {
  const calls = message.toolCalls.map((call) => ` [${call.id} ${call.name} ${call.argumentsJson}]`).join('');
  const of = message.role === MessageRole.tool ? ` ${message.toolCallId}${message.isError ? ' error' : ''}` : '';
  return `${message.role}${of}: ${message.text()}${calls}`;
}
