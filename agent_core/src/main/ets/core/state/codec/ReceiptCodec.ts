import { ApprovalDecision } from '../../approval/ApprovalModes';
import { DecisionReceipt, ReceiptEntry } from '../../approval/DecisionReceipt';
import { JsonWriter } from '../../json/JsonWriter';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

const DECISIONS: ReadonlyArray<ApprovalDecision> = [
  ApprovalDecision.pending, ApprovalDecision.approved, ApprovalDecision.denied
];

/** `{batchId,closedBy?,entries:[{approvalId,decision,decidedBy,decidedAtMs}]}`. */
export class ReceiptCodec {
  static encode(receipt: DecisionReceipt, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer).string('batchId', receipt.batchId);
    if (receipt.closedBy !== '') {
      text.string('closedBy', receipt.closedBy);
    }
    return text.list<ReceiptEntry>('entries', receipt.entries, (entry: ReceiptEntry): string =>
      new ObjectText(writer)
        .string('approvalId', entry.approvalId)
        .string('decision', entry.decision)
        .string('decidedBy', entry.decidedBy)
        .number('decidedAtMs', entry.decidedAtMs)
        .end())
      .end();
  }

  static decode(reader: DocumentReader): DecisionReceipt {
    const entries: ReceiptEntry[] = reader.list<ReceiptEntry>('entries', (item: DocumentReader): ReceiptEntry => {
      const entry: ReceiptEntry = {
        approvalId: item.string('approvalId'),
        decision: item.choice<ApprovalDecision>('decision', DECISIONS),
        decidedBy: item.string('decidedBy'),
        decidedAtMs: item.number('decidedAtMs')
      };
      return entry;
    });
    return new DecisionReceipt(reader.string('batchId'), reader.optionalString('closedBy') ?? '', entries);
  }
}
