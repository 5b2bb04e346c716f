import { JsonValue } from '../json/JsonValue';

export enum ContentKind {
  text = 'text',
  image = 'image',
  audio = 'audio',
  file = 'file',
  json = 'json'
}

/** One part of a message. Media parts hold a reference (URI, artifact id), never the bytes. Immutable. */
export class ContentPart {
  readonly kind: ContentKind;
  private readonly textValue: string;
  private readonly uriValue: string;
  private readonly mimeValue: string;
  private readonly jsonValue: JsonValue | undefined;

  private constructor(kind: ContentKind, text: string, uri: string, mime: string, json: JsonValue | undefined) {
    this.kind = kind;
    this.textValue = text;
    this.uriValue = uri;
    this.mimeValue = mime;
    this.jsonValue = json;
  }

  static text(text: string): ContentPart {
    return new ContentPart(ContentKind.text, text, '', '', undefined);
  }

  static image(uri: string, mimeType: string): ContentPart {
    return new ContentPart(ContentKind.image, '', uri, mimeType, undefined);
  }

  static audio(uri: string, mimeType: string): ContentPart {
    return new ContentPart(ContentKind.audio, '', uri, mimeType, undefined);
  }

  static file(uri: string, mimeType: string): ContentPart {
    return new ContentPart(ContentKind.file, '', uri, mimeType, undefined);
  }

  static json(value: JsonValue): ContentPart {
    return new ContentPart(ContentKind.json, '', '', '', value);
  }

  /** The text of a text part, otherwise undefined. */
  asText(): string | undefined {
    return this.kind === ContentKind.text ? this.textValue : undefined;
  }

  /** The reference of an image, audio or file part, otherwise undefined. */
  asUri(): string | undefined {
    return this.uriValue === '' ? undefined : this.uriValue;
  }

  /** The media type of an image, audio or file part, otherwise undefined. */
  mimeType(): string | undefined {
    return this.mimeValue === '' ? undefined : this.mimeValue;
  }

  /** The value of a json part, otherwise undefined. */
  asJson(): JsonValue | undefined {
    return this.jsonValue;
  }
}
