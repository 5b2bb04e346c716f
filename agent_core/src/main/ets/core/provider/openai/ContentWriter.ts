import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonValue } from '../../json/JsonValue';
import { ContentKind, ContentPart } from '../../message/ContentPart';
import { OpenAiDialect } from './OpenAiDialect';

/**
 * Content parts on the wire.
 *
 * Media go out as the reference they are: an address that the provider can fetch itself, or a `data:` address. A reference that only the
 * app understands becomes a line of text that names it, so that the model knows about it and can hand it to a tool.
 */
export class ContentWriter {
  private readonly dialect: OpenAiDialect;
  private readonly codec: JsonCodec;

  constructor(dialect: OpenAiDialect, codec: JsonCodec) {
    this.dialect = dialect;
    this.codec = codec;
  }

  /** A JSON string where all parts are text, otherwise a list. @throws ArkAgentError json_* */
  parts(contents: ReadonlyArray<ContentPart>): string {
    const items: string[] = [];
    let media: boolean = false;
    for (const part of contents) {
      const special: string | undefined = this.media(part);
      media = media || special !== undefined;
      items.push(special ?? `{"type":"text","text":${JSON.stringify(this.text(part))}}`);
    }
    return media ? `[${items.join(',')}]` : JSON.stringify(this.plain(contents));
  }

  /** All parts as one text, one part per line. @throws ArkAgentError json_* */
  plain(contents: ReadonlyArray<ContentPart>): string {
    if (contents.length === 1) {
      return this.text(contents[0]);
    }
    return contents.map<string>((part: ContentPart): string => this.text(part)).join('\n');
  }

  private text(part: ContentPart): string {
    const json: JsonValue | undefined = part.asJson();
    if (json !== undefined) {
      const written: Result<string, ArkAgentError> = this.codec.stringify(json);
      if (!written.ok) {
        throw written.error;
      }
      return written.value;
    }
    const uri: string | undefined = part.asUri();
    if (part.kind === ContentKind.text || uri === undefined) {
      return part.asText() ?? '';
    }
    return `[${part.kind} ${part.mimeType() ?? ''} ${uri.startsWith('data:') ? '(inline)' : uri}]`.replace('  ', ' ');
  }

  private media(part: ContentPart): string | undefined {
    const uri: string = part.asUri() ?? '';
    if (part.kind === ContentKind.image && this.dialect.takesImages && /^(?:https?:|data:)/i.test(uri)) {
      return `{"type":"image_url","image_url":{"url":${JSON.stringify(uri)}}}`;
    }
    const comma: number = uri.indexOf(';base64,');
    if (part.kind === ContentKind.audio && this.dialect.takesAudio && uri.startsWith('data:') && comma > 0) {
      const format: string = (part.mimeType() ?? uri.substring(5, comma)).includes('mp') ? 'mp3' : 'wav';
      return `{"type":"input_audio","input_audio":{"data":${JSON.stringify(uri.substring(comma + 8))},"format":"${format}"}}`;
    }
    return undefined;
  }
}
