import { JsonValue } from '../../json/JsonValue';
import { JsonWriter } from '../../json/JsonWriter';
import { ContentKind, ContentPart } from '../../message/ContentPart';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

const KINDS: ReadonlyArray<ContentKind> = [
  ContentKind.text, ContentKind.image, ContentKind.audio, ContentKind.file, ContentKind.json
];

/** `{kind:"text",text}`, `{kind:"json",value}`, otherwise `{kind,uri,mimeType}`. */
export class ContentPartCodec {
  static encode(part: ContentPart, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer).string('kind', part.kind);
    switch (part.kind) {
      case ContentKind.text:
        return text.string('text', part.asText() ?? '').end();
      case ContentKind.json:
        const value: JsonValue | undefined = part.asJson();
        return (value === undefined ? text.raw('value', 'null') : text.json('value', value)).end();
      default:
        return text.string('uri', part.asUri() ?? '').string('mimeType', part.mimeType() ?? '').end();
    }
  }

  static decode(reader: DocumentReader): ContentPart {
    const kind: ContentKind = reader.choice<ContentKind>('kind', KINDS);
    switch (kind) {
      case ContentKind.text:
        return ContentPart.text(reader.string('text'));
      case ContentKind.json:
        return ContentPart.json(reader.json('value'));
      case ContentKind.image:
        return ContentPart.image(reader.string('uri'), reader.string('mimeType'));
      case ContentKind.audio:
        return ContentPart.audio(reader.string('uri'), reader.string('mimeType'));
      default:
        return ContentPart.file(reader.string('uri'), reader.string('mimeType'));
    }
  }

  static encodeAll(parts: ReadonlyArray<ContentPart>, writer: JsonWriter): string {
    return ObjectText.array<ContentPart>(parts, (part: ContentPart): string => ContentPartCodec.encode(part, writer));
  }

  static decodeAll(reader: DocumentReader, key: string): ContentPart[] {
    return reader.list<ContentPart>(key, (item: DocumentReader): ContentPart => ContentPartCodec.decode(item));
  }
}
