import { JsonWriter } from '../../json/JsonWriter';
import { EnvelopeArtifact, ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { CallResult, CallResultInit } from '../CallResult';
import { ContentPartCodec } from './ContentPartCodec';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

const STATUSES: ReadonlyArray<ToolCallStatus> = [
  ToolCallStatus.ok, ToolCallStatus.rejected, ToolCallStatus.failed, ToolCallStatus.cancelled, ToolCallStatus.unknown
];

/** `{status,code?,contents,isError?,stopFlag?,metadata?,elapsedMs,artifact?}`. */
export class CallResultCodec {
  static encode(result: CallResult, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer).string('status', result.status);
    if (result.code !== '') {
      text.string('code', result.code);
    }
    text.raw('contents', ContentPartCodec.encodeAll(result.contents, writer))
      .flag('isError', result.isError)
      .flag('stopFlag', result.stopFlag)
      .optionalObject('metadata', result.metadata)
      .number('elapsedMs', result.elapsedMs);
    if (result.artifact !== undefined) {
      text.raw('artifact', new ObjectText(writer).string('file', result.artifact.file)
        .number('chars', result.artifact.chars).string('sha256', result.artifact.sha256).end());
    }
    return text.end();
  }

  static decode(reader: DocumentReader): CallResult {
    const init: CallResultInit = {
      status: reader.choice<ToolCallStatus>('status', STATUSES),
      code: reader.optionalString('code') ?? '',
      contents: ContentPartCodec.decodeAll(reader, 'contents'),
      isError: reader.flag('isError'),
      stopFlag: reader.flag('stopFlag'),
      metadata: reader.optionalSealed('metadata'),
      elapsedMs: reader.number('elapsedMs'),
      artifact: CallResultCodec.artifact(reader.optionalReader('artifact'))
    };
    return new CallResult(init);
  }

  private static artifact(reader: DocumentReader | undefined): EnvelopeArtifact | undefined {
    if (reader === undefined) {
      return undefined;
    }
    const artifact: EnvelopeArtifact = {
      file: reader.string('file'), chars: reader.count('chars'), sha256: reader.string('sha256')
    };
    return artifact;
  }
}
