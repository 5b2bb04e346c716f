import { JsonWriter } from '../../json/JsonWriter';
import { AgentMessage } from '../../message/AgentMessage';
import { CallResult } from '../CallResult';
import { CallInspection, CallStatus, CallTarget, OpenCall, OpenCallInit } from '../OpenCall';
import { CallResultCodec } from './CallResultCodec';
import { DocumentReader } from './DocumentReader';
import { MessageCodec } from './MessageCodec';
import { ObjectText } from './ObjectText';

const STATUSES: ReadonlyArray<CallStatus> = [
  CallStatus.rejected, CallStatus.allowed, CallStatus.awaiting, CallStatus.planned, CallStatus.started,
  CallStatus.finished, CallStatus.unknown, CallStatus.waiting, CallStatus.closed
];

/** One call of the journal; what is not known about it is left out. */
export class OpenCallCodec {
  static encode(call: OpenCall, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer)
      .number('position', call.position)
      .string('status', call.status)
      .number('attempt', call.attempt);
    if (call.proposed !== undefined) {
      text.raw('proposed', OpenCallCodec.target(call.proposed, writer));
    }
    text.raw('effective', OpenCallCodec.target(call.effective, writer))
      .optionalString('digest', call.digest)
      .optionalString('definitionHash', call.definitionHash)
      .optionalString('idempotencyKey', call.idempotencyKey)
      .optionalString('reason', call.reason);
    OpenCallCodec.result('result', call.result, text, writer);
    if (call.injected.length > 0) {
      text.list<AgentMessage>('injected', call.injected,
        (message: AgentMessage): string => MessageCodec.encode(message, writer));
    }
    text.optionalNumber('startedAtMs', call.startedAtMs).optionalString('childSessionId', call.childSessionId);
    if (call.inspection !== undefined) {
      text.raw('inspection', new ObjectText(writer).string('tool', call.inspection.tool)
        .string('jobId', call.inspection.jobId).end());
    }
    OpenCallCodec.result('lateResult', call.lateResult, text, writer);
    return text.end();
  }

  static decode(reader: DocumentReader): OpenCall {
    const init: OpenCallInit = {
      position: reader.count('position'),
      status: reader.choice<CallStatus>('status', STATUSES),
      effective: OpenCallCodec.readTarget(reader.reader('effective')),
      attempt: reader.count('attempt'),
      proposed: reader.has('proposed') ? OpenCallCodec.readTarget(reader.reader('proposed')) : undefined,
      digest: reader.optionalString('digest'),
      definitionHash: reader.optionalString('definitionHash'),
      idempotencyKey: reader.optionalString('idempotencyKey'),
      reason: reader.optionalString('reason'),
      result: OpenCallCodec.readResult(reader.optionalReader('result')),
      injected: reader.optionalList<AgentMessage>('injected',
        (item: DocumentReader): AgentMessage => MessageCodec.decode(item)),
      startedAtMs: reader.optionalNumber('startedAtMs'),
      childSessionId: reader.optionalString('childSessionId'),
      inspection: OpenCallCodec.readInspection(reader.optionalReader('inspection')),
      lateResult: OpenCallCodec.readResult(reader.optionalReader('lateResult'))
    };
    return new OpenCall(init);
  }

  private static target(target: CallTarget, writer: JsonWriter): string {
    return new ObjectText(writer).string('name', target.name).string('argumentsJson', target.argumentsJson).end();
  }

  private static readTarget(reader: DocumentReader): CallTarget {
    return new CallTarget(reader.string('name'), reader.string('argumentsJson'));
  }

  private static result(key: string, result: CallResult | undefined, text: ObjectText, writer: JsonWriter): void {
    if (result !== undefined) {
      text.raw(key, CallResultCodec.encode(result, writer));
    }
  }

  private static readResult(reader: DocumentReader | undefined): CallResult | undefined {
    return reader === undefined ? undefined : CallResultCodec.decode(reader);
  }

  private static readInspection(reader: DocumentReader | undefined): CallInspection | undefined {
    if (reader === undefined) {
      return undefined;
    }
    const inspection: CallInspection = { tool: reader.string('tool'), jobId: reader.string('jobId') };
    return inspection;
  }
}
