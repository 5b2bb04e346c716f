import { CallDigest } from '../../approval/CallDigest';
import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { PreparedCall, PreparedVerdict } from '../../execution/prepare/PreparedCall';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { Digest } from '../../port/Digest';
import { ChildSessionId } from '../../state/ChildSessionId';
import { CallStatus, CallTarget, OpenCall, OpenCallInit } from '../../state/OpenCall';
import { RegisteredTool } from '../../tool/RegisteredTool';

/** Makes journal entries of prepared calls and binds them to what was shown: definition hash, digest, idempotency key. */
export class CallLedger {
  private readonly digest: Digest;
  private readonly codec: JsonCodec = new JsonCodec();

  constructor(digest: Digest) {
    this.digest = digest;
  }

  /** The plain entry: enough for a call that neither freezes nor has an effect. */
  entry(prepared: PreparedCall, position: number): OpenCall {
    const target: CallTarget = new CallTarget(prepared.call.name, prepared.call.argumentsJson);
    const original: ToolCall = prepared.original;
    const proposed: CallTarget = new CallTarget(original.name, original.argumentsJson);
    const init: OpenCallInit = {
      position: position, status: statusOf(prepared.verdict), effective: target, attempt: 0,
      proposed: target.equals(proposed) ? undefined : proposed, result: prepared.result,
      reason: prepared.result?.code
    };
    return new OpenCall(init);
  }

  /** The entry with what a frozen or effectful call needs to be recognised later; hashing happens here and only here. */
  bound(entry: OpenCall, prepared: PreparedCall, batchId: string): OpenCall {
    const tool: RegisteredTool | undefined = prepared.tool;
    if (tool === undefined || prepared.args === undefined) {
      return entry;
    }
    const init: OpenCallInit = entry.toInit();
    init.definitionHash = tool.definitionHash(this.digest);
    if (prepared.hasEffect || entry.status === CallStatus.awaiting) {
      init.digest = this.digestOfCall(prepared);
    }
    if (prepared.hasEffect) {
      init.idempotencyKey = `${batchId}:${entry.position}`;
    }
    return new OpenCall(init);
  }

  /** The entry with the name of the child session that will work on it (DEC-54). */
  linked(entry: OpenCall, sessionId: string, batchId: string): OpenCall {
    const init: OpenCallInit = entry.toInit();
    init.childSessionId = ChildSessionId.of(sessionId, batchId, entry.position, this.digest);
    return new OpenCall(init);
  }

  /** `v1:sha256:…` of a prepared call; undefined for one that nothing would run of, or without a canonical form. */
  digestOfCall(prepared: PreparedCall): string | undefined {
    const tool: RegisteredTool | undefined = prepared.tool;
    const args: JsonObject | undefined = prepared.args;
    if (tool === undefined || args === undefined) {
      return undefined;
    }
    const hash: string = this.definitionHash(tool);
    if (prepared.canonical === undefined) {
      return this.digestOf(prepared.call.name, args, hash);
    }
    const made: Result<string, ArkAgentError> =
      CallDigest.ofCanonical(this.digest, this.codec, prepared.call.name, prepared.canonical, hash);
    return made.ok ? made.value : undefined;
  }

  /** `v1:sha256:…` of what would run; undefined for arguments that have no canonical form. */
  digestOf(name: string, args: JsonObject, definitionHash: string): string | undefined {
    const made: Result<string, ArkAgentError> = CallDigest.of(this.digest, this.codec, name, args, definitionHash);
    return made.ok ? made.value : undefined;
  }

  definitionHash(tool: RegisteredTool): string {
    return tool.definitionHash(this.digest);
  }
}

function statusOf(verdict: PreparedVerdict): CallStatus {
  switch (verdict) {
    case PreparedVerdict.rejected:
      return CallStatus.rejected;
    case PreparedVerdict.ask:
      return CallStatus.awaiting;
    default:
      return CallStatus.allowed;
  }
}
