import { PendingApprovalBatch, PendingApprovalBatchInit } from '../../approval/PendingApprovalBatch';
import { PendingApprovalItem } from '../../approval/PendingApprovalItem';
import { JsonWriter } from '../../json/JsonWriter';
import { AgentMessage } from '../../message/AgentMessage';
import { ApprovalSiblings } from '../ApprovalSiblings';
import { OpenBatch } from '../OpenBatch';
import { ApprovalItemCodec } from './ApprovalItemCodec';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';
import { StateFault } from './StateFault';

/** A frozen batch. On disk the model's message is its id, and the siblings are not there: both follow from the rest. */
export class ApprovalBatchCodec {
  static encode(batch: PendingApprovalBatch, writer: JsonWriter): string {
    return new ObjectText(writer)
      .string('batchId', batch.batchId)
      .string('runId', batch.runId)
      .number('createdAtMs', batch.createdAtMs)
      .string('modelMessageId', batch.modelMessage.id)
      .list<PendingApprovalItem>('items', batch.items,
        (item: PendingApprovalItem): string => ApprovalItemCodec.encode(item, writer))
      .end();
  }

  static decode(reader: DocumentReader, history: ReadonlyArray<AgentMessage>,
    openBatch: OpenBatch | undefined): PendingApprovalBatch {
    const items: PendingApprovalItem[] = reader.list<PendingApprovalItem>('items',
      (item: DocumentReader): PendingApprovalItem => ApprovalItemCodec.decode(item));
    const init: PendingApprovalBatchInit = {
      batchId: reader.string('batchId'),
      runId: reader.string('runId'),
      createdAtMs: reader.number('createdAtMs'),
      modelMessage: ApprovalBatchCodec.modelMessage(reader, history),
      items: items,
      siblings: ApprovalSiblings.of(openBatch, items)
    };
    return new PendingApprovalBatch(init);
  }

  private static modelMessage(reader: DocumentReader, history: ReadonlyArray<AgentMessage>): AgentMessage {
    const id: string = reader.string('modelMessageId');
    for (let i: number = history.length - 1; i >= 0; i--) {
      if (history[i].id === id) {
        return history[i];
      }
    }
    throw StateFault.corrupt(reader.at('modelMessageId'), 'the id of a message of the history', 'another id');
  }
}
