import { JsonWriter } from '../../json/JsonWriter';
import { Usage } from '../../message/Usage';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

/** `{promptTokens,completionTokens,totalTokens}`. */
export class UsageCodec {
  static encode(usage: Usage, writer: JsonWriter): string {
    return new ObjectText(writer)
      .number('promptTokens', usage.promptTokens)
      .number('completionTokens', usage.completionTokens)
      .number('totalTokens', usage.totalTokens)
      .end();
  }

  static decode(reader: DocumentReader): Usage {
    return new Usage(reader.number('promptTokens'), reader.number('completionTokens'), reader.number('totalTokens'));
  }
}
