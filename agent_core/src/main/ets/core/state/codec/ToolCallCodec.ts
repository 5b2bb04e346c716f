import { JsonWriter } from '../../json/JsonWriter';
import { ToolCall } from '../../message/ToolCall';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

/** `{id,name,argumentsJson,index}`. */
export class ToolCallCodec {
  static encode(call: ToolCall, writer: JsonWriter): string {
    return new ObjectText(writer)
      .string('id', call.id)
      .string('name', call.name)
      .string('argumentsJson', call.argumentsJson)
      .number('index', call.index)
      .end();
  }

  static decode(reader: DocumentReader): ToolCall {
    return new ToolCall(reader.string('id'), reader.string('name'), reader.string('argumentsJson'), reader.count('index'));
  }
}
