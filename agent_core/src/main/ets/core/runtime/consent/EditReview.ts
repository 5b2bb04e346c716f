import { ApprovalKind } from '../../approval/ApprovalModes';
import { PendingApprovalBatch } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { AuditDeciders, CallAudit } from '../../execution/audit/CallAudit';
import { CallPreparer, Preparation, PreparationScope } from '../../execution/prepare/CallPreparer';
import { CallReporter } from '../../execution/seam/CallReporter';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { CallPlace, CallSecrets } from '../../execution/vault/CallSecrets';
import { ToolCall } from '../../message/ToolCall';
import { ToolDefinition } from '../../model/ToolDefinition';
import { OpenBatch } from '../../state/OpenBatch';
import { CallTarget, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { CallLedger } from '../ledger/CallLedger';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from '../store/SessionStore';

/** A call with a person's arguments that passed phase 1. */
export class EditedCall {
  readonly call: ToolCall;
  /** What the model had proposed. */
  readonly proposed: ToolCall;
  /** The journal entry for it. */
  readonly entry: OpenCall;

  constructor(call: ToolCall, proposed: ToolCall, entry: OpenCall) {
    this.call = call;
    this.proposed = proposed;
    this.entry = entry;
  }
}

/**
 * Phase 1 for a person's edit: hooks, gates, authorization and policy see it like any call, because it is as untrusted
 * (DEC-52). What asks for consent is satisfied by the edit; everything else refuses it and leaves the question open.
 */
export class EditReview {
  private readonly preparer: CallPreparer;
  private readonly ledger: CallLedger;
  private readonly registry: ToolRegistry;
  private readonly store: SessionStore;
  private readonly state: ReadonlyAgentState;
  private readonly secrets: CallSecrets | undefined;

  constructor(preparer: CallPreparer, ledger: CallLedger, registry: ToolRegistry, store: SessionStore,
    state: ReadonlyAgentState, secrets: CallSecrets | undefined) {
    this.preparer = preparer;
    this.ledger = ledger;
    this.registry = registry;
    this.store = store;
    this.state = state;
    this.secrets = secrets;
  }

  /** Errors: approval_edit_rejected with details.code (what refused it) or details.proposedArguments (a hook's change). */
  async review(batch: PendingApprovalBatch, item: PendingApprovalItem, argumentsJson: string,
    reporter: RunReporter): Promise<Result<EditedCall, ArkAgentError>> {
    if (item.kind === ApprovalKind.retry) {
      return rejected('only the same call can be repeated', ErrorCode.approvalEditRejected);
    }
    const open: OpenBatch | undefined = this.store.draft.openBatch;
    if (this.secrets?.keepsPlaces(item.toolCall.argumentsJson, argumentsJson) === false) {
      return rejected('a mark that stands for a secret was moved or brought in', ErrorCode.toolArgumentSecret);
    }
    const call: ToolCall = await this.sealed(batch, item, argumentsJson);
    const step: Preparation = await this.preparer.prepare(call, this.scope(batch, open, reporter,
      reporter.audit.inBatch(batch.batchId).proposedBy(AuditDeciders.PERSON)));
    const prepared: PreparedCall | undefined = step.call;
    if (prepared === undefined) {
      return rejected('a hook aborted it', step.abort?.error.code ?? ErrorCode.hookAbort);
    }
    if (prepared.result !== undefined) {
      return rejected('it does not pass the checks', prepared.result.code);
    }
    if (prepared.tool === undefined || this.ledger.definitionHash(prepared.tool) !== item.definitionHash) {
      return rejected('the tool is another one than the card shows', ErrorCode.toolChanged);
    }
    if (prepared.call.argumentsJson !== call.argumentsJson || prepared.call.name !== call.name) {
      return Result.failure<EditedCall, ArkAgentError>(
        editRejected('a hook changed it', ErrorCode.approvalEditRejected)
          .withDetail('proposedArguments', prepared.call.argumentsJson));
    }
    const entry: OpenCall | undefined = open?.calls[item.position];
    if (entry === undefined) {
      return rejected('the batch is not open any more', ErrorCode.approvalBatchClosed);
    }
    const proposed: ToolCall = batch.modelMessage.toolCalls[item.position];
    return Result.success<EditedCall, ArkAgentError>(new EditedCall(call, proposed, this.ledger.bound(
      withTarget(entry, call, proposed), prepared, batch.batchId)));
  }

  /** The person's arguments with placeholders for the secrets in them. */
  private async sealed(batch: PendingApprovalBatch, item: PendingApprovalItem, argumentsJson: string): Promise<ToolCall> {
    const call: ToolCall = item.toolCall.withArguments(argumentsJson);
    const place: CallPlace = { sessionId: this.state.sessionId, batchId: batch.batchId, position: item.position };
    return this.secrets === undefined ? call : this.secrets.seal(place, call, this.secrets.marks(argumentsJson));
  }

  private scope(batch: PendingApprovalBatch, open: OpenBatch | undefined, reporter: CallReporter,
    audit: CallAudit): PreparationScope {
    const visible: Set<string> = new Set<string>(open?.visibleTools ?? []);
    const scope: PreparationScope = {
      sessionId: this.state.sessionId, batchId: batch.batchId, state: this.state, modelMessage: batch.modelMessage, visible: visible,
      availableTools: this.registry.list().filter((tool: ToolDefinition) => visible.has(tool.name)), reporter: reporter,
      audit: audit
    };
    return scope;
  }
}

function withTarget(entry: OpenCall, call: ToolCall, proposed: ToolCall): OpenCall {
  const init: OpenCallInit = entry.toInit();
  init.effective = new CallTarget(call.name, call.argumentsJson);
  init.proposed = new CallTarget(proposed.name, proposed.argumentsJson);
  return new OpenCall(init);
}

function rejected(why: string, code: string): Result<EditedCall, ArkAgentError> {
  return Result.failure<EditedCall, ArkAgentError>(editRejected(why, code));
}

function editRejected(why: string, code: string): ArkAgentError {
  return ArkAgentError.of(ErrorCode.approvalEditRejected, `the edit was refused: ${why} (${code}); the question stays open`)
    .withDetail('code', code);
}
