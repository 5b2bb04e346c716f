import { ApprovalScope, BatchDenyMode } from '../../approval/ApprovalModes';
import { JsonWriter } from '../../json/JsonWriter';
import { OpenBatch, OpenBatchInit } from '../OpenBatch';
import { OpenCall } from '../OpenCall';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';
import { OpenCallCodec } from './OpenCallCodec';

const MODES: ReadonlyArray<BatchDenyMode> = [BatchDenyMode.atomic, BatchDenyMode.independent];
const SCOPES: ReadonlyArray<ApprovalScope> = [ApprovalScope.flagged, ApprovalScope.wholeBatch];

/** The journal of one assistant message (DEC-01). */
export class OpenBatchCodec {
  static encode(batch: OpenBatch, writer: JsonWriter): string {
    return new ObjectText(writer)
      .string('batchId', batch.batchId)
      .string('runId', batch.runId)
      .string('assistantMessageId', batch.assistantMessageId)
      .string('mode', batch.mode)
      .string('scope', batch.scope)
      .strings('visibleTools', batch.visibleTools)
      .list<OpenCall>('calls', batch.calls, (call: OpenCall): string => OpenCallCodec.encode(call, writer))
      .end();
  }

  static decode(reader: DocumentReader): OpenBatch {
    const init: OpenBatchInit = {
      batchId: reader.string('batchId'),
      runId: reader.string('runId'),
      assistantMessageId: reader.string('assistantMessageId'),
      mode: reader.choice<BatchDenyMode>('mode', MODES),
      scope: reader.choice<ApprovalScope>('scope', SCOPES),
      visibleTools: reader.strings('visibleTools'),
      calls: reader.list<OpenCall>('calls', (item: DocumentReader): OpenCall => OpenCallCodec.decode(item))
    };
    return new OpenBatch(init);
  }
}
