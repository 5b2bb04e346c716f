import { ApprovalDecision, ApprovalKind } from '../../approval/ApprovalModes';
import { PendingApprovalItem, PendingApprovalItemInit } from '../../approval/PendingApprovalItem';
import { JsonWriter } from '../../json/JsonWriter';
import { ToolRiskLevel } from '../../model/ToolDefinition';
import { ToolEffect } from '../../tool/ToolContract';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';
import { ToolCallCodec } from './ToolCallCodec';

const KINDS: ReadonlyArray<ApprovalKind> = [ApprovalKind.call, ApprovalKind.retry];
const DECISIONS: ReadonlyArray<ApprovalDecision> = [
  ApprovalDecision.pending, ApprovalDecision.approved, ApprovalDecision.denied
];
const RISKS: ReadonlyArray<ToolRiskLevel> = [ToolRiskLevel.safe, ToolRiskLevel.sensitive, ToolRiskLevel.dangerous];
const EFFECTS: ReadonlyArray<ToolEffect> = [ToolEffect.none, ToolEffect.reversible, ToolEffect.irreversible];

/** One question to a person. */
export class ApprovalItemCodec {
  static encode(item: PendingApprovalItem, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer)
      .string('approvalId', item.approvalId)
      .number('position', item.position)
      .number('round', item.round)
      .string('kind', item.kind)
      .raw('toolCall', ToolCallCodec.encode(item.toolCall, writer));
    if (item.proposedCall !== undefined) {
      text.raw('proposedCall', ToolCallCodec.encode(item.proposedCall, writer));
    }
    return text
      .string('riskLevel', item.riskLevel)
      .string('effect', item.effect)
      .string('reason', item.reason)
      .optionalString('digest', item.digest)
      .optionalString('definitionHash', item.definitionHash)
      .number('createdAtMs', item.createdAtMs)
      .optionalNumber('expiresAtMs', item.expiresAtMs)
      .string('decision', item.decision)
      .optionalString('denyReason', item.denyReason)
      .optionalString('decidedBy', item.decidedBy)
      .optionalNumber('decidedAtMs', item.decidedAtMs)
      .strings('warnings', item.warnings)
      .strings('origin', item.origin)
      .flag('predecessorUnknown', item.predecessorUnknown)
      .end();
  }

  static decode(reader: DocumentReader): PendingApprovalItem {
    const proposed: DocumentReader | undefined = reader.optionalReader('proposedCall');
    const init: PendingApprovalItemInit = {
      approvalId: reader.string('approvalId'),
      position: reader.count('position'),
      round: reader.count('round'),
      kind: reader.choice<ApprovalKind>('kind', KINDS),
      toolCall: ToolCallCodec.decode(reader.reader('toolCall')),
      proposedCall: proposed === undefined ? undefined : ToolCallCodec.decode(proposed),
      riskLevel: reader.choice<ToolRiskLevel>('riskLevel', RISKS),
      effect: reader.choice<ToolEffect>('effect', EFFECTS),
      reason: reader.string('reason'),
      digest: reader.optionalString('digest'),
      definitionHash: reader.optionalString('definitionHash'),
      createdAtMs: reader.number('createdAtMs'),
      expiresAtMs: reader.optionalNumber('expiresAtMs'),
      decision: reader.choice<ApprovalDecision>('decision', DECISIONS),
      denyReason: reader.optionalString('denyReason'),
      decidedAtMs: reader.optionalNumber('decidedAtMs'),
      decidedBy: reader.optionalString('decidedBy'),
      warnings: reader.strings('warnings'),
      origin: reader.strings('origin'),
      predecessorUnknown: reader.flag('predecessorUnknown')
    };
    return new PendingApprovalItem(init);
  }
}
