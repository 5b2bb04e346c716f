import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { CallGates } from '../../execution/prepare/CallGates';
import { CallRejection } from '../../execution/prepare/CallRejection';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { Scheduler } from '../../port/Scheduler';
import { CallStatus, CloseReason, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { BatchMessages } from '../ledger/BatchMessages';
import { BatchWork } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';

/** What is looked at once more just before a call starts, and how one is closed that must not start after all. */
export class StartChecks {
  private readonly gates: CallGates;
  private readonly ledger: CallLedger;
  private readonly scheduler: Scheduler;
  private readonly work: BatchWork;
  /** Monotonic. */
  private readonly begunAtMs: number;

  /** The batch begins now. */
  constructor(gates: CallGates, ledger: CallLedger, scheduler: Scheduler, work: BatchWork) {
    this.gates = gates;
    this.ledger = ledger;
    this.scheduler = scheduler;
    this.work = work;
    this.begunAtMs = scheduler.monotonicMs();
  }

  static isReady(entry: OpenCall): boolean {
    return entry.status === CallStatus.allowed || entry.status === CallStatus.planned;
  }

  /** The call is still what was let through, and its turn has come in time. */
  holds(entry: OpenCall, prepared: PreparedCall): boolean {
    return !this.changedSince(prepared) && !this.waitedTooLong(entry, prepared);
  }

  /** Closes a call that does not hold any more; with a changed tool also those after it. @returns whether it did */
  refuse(entry: OpenCall, prepared: PreparedCall): boolean {
    if (this.changedSince(prepared)) {
      this.stopForChange(entry.position);
      return true;
    }
    if (this.waitedTooLong(entry, prepared)) {
      this.refuseLate(entry, prepared);
      return true;
    }
    return false;
  }

  close(entry: OpenCall, reason: CloseReason): void {
    this.work.set(BatchMessages.close(entry, reason));
  }

  /** The tool behind the name is another one than when the call was prepared (DEC-39). */
  private changedSince(prepared: PreparedCall): boolean {
    const now: RegisteredTool | undefined = this.gates.find(prepared.call.name);
    if (now === prepared.tool) {
      return false;
    }
    return now === undefined || prepared.tool === undefined ||
      this.ledger.definitionHash(now) !== this.ledger.definitionHash(prepared.tool);
  }

  private stopForChange(position: number): void {
    this.close(this.work.at(position), CloseReason.toolChanged);
    for (let later: number = position + 1; later < this.work.length; later++) {
      const entry: OpenCall = this.work.at(later);
      if (StartChecks.isReady(entry)) {
        this.close(entry, CloseReason.notExecuted);
      }
    }
  }

  private waitedTooLong(entry: OpenCall, prepared: PreparedCall): boolean {
    const limitMs: number = prepared.tool?.contract.queueTimeoutMs ?? 0;
    return limitMs > 0 && !entry.mayHaveHappened && this.scheduler.monotonicMs() - this.begunAtMs > limitMs;
  }

  private refuseLate(entry: OpenCall, prepared: PreparedCall): void {
    const init: OpenCallInit = entry.toInit();
    init.status = CallStatus.rejected;
    init.reason = ErrorCode.toolTimeout;
    init.result = CallRejection.of(ArkAgentError.of(ErrorCode.toolTimeout,
      `the call waited more than ${prepared.tool?.contract.queueTimeoutMs ?? 0} ms for its turn; it was not started`));
    this.work.set(new OpenCall(init));
  }
}
