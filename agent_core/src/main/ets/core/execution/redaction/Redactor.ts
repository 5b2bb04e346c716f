import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { AgentMessage, AgentMessageInit } from '../../message/AgentMessage';
import { ContentKind, ContentPart } from '../../message/ContentPart';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { ResultFilter } from '../filter/ResultFilter';
import { Credential } from './Credential';
import { JsonStrings } from './JsonStrings';
import { PersonalRules } from './PersonalRules';
import { Placeholder } from './Placeholder';
import { RedactionOptions } from './RedactionOptions';
import { SecretBook } from './SecretBook';
import { SecretMatch, SecretScan } from './SecretMatch';
import { NameMeaning, NamedSecret, SecretNames } from './SecretNames';
import { SecretRule } from './SecretRule';
import { SecretScanner } from './SecretScanner';

/** No shorter text holds a secret. */
const MIN_TEXT: number = 6;
const MIN_NAMED: number = 3;
/** Passes over one text, each with what the one before learned. */
const MAX_ROUNDS: number = 4;
const MIN_MAYBE: number = 16;

/**
 * Puts placeholders in the place of secrets (step 7, and wherever else a text leaves the pipeline).
 *
 * The same secret gets the same placeholder for the whole session; redacting twice gives what redacting once gives; the time is
 * linear in the length of the text. What no rule knows is not found: this lowers the risk, it is no proof.
 */
export class Redactor implements ResultFilter {
  readonly change: string = 'redacted';
  private readonly scanner: SecretScanner = new SecretScanner();
  private readonly codec: JsonCodec = new JsonCodec();
  private readonly book: SecretBook;
  /** For arguments. */
  private readonly own: ReadonlyArray<SecretRule>;
  /** For everything else. */
  private readonly all: ReadonlyArray<SecretRule>;

  constructor(book: SecretBook, options: RedactionOptions = {}) {
    this.book = book;
    this.own = (options.rules ?? []).slice();
    this.all = options.personal === true ? this.own.concat(PersonalRules.all()) : this.own;
  }

  /** More than the shipped rules apply; the end of a stream needs more care then. */
  get hasRules(): boolean {
    return this.all.length > 0;
  }

  /** A text for people, logs or the model. */
  text(text: string): string {
    return this.mask(text, this.all);
  }

  /** Arguments of a call as JSON text: values and names of strings change, everything else stays as it was written. */
  argumentsJson(text: string): string {
    // Whatever it looks like: a model writes JSON inside of a string, behind a mark or a comment, and broken.
    return text.length < MIN_TEXT ? text : this.plain(this.strings(text, this.own, 0), this.own);
  }

  json(value: JsonValue): JsonValue {
    const written: Result<string, ArkAgentError> = this.codec.stringify(value);
    if (!written.ok) {
      throw written.error;
    }
    const masked: string = this.strings(written.value, this.all, 0);
    return masked === written.value ? value : this.codec.parse(masked).value;
  }

  apply(result: ToolResult, tool: RegisteredTool): ToolResult {
    return this.result(result);
  }

  result(result: ToolResult): ToolResult {
    const contents: ReadonlyArray<ContentPart> = this.parts(result.contents);
    const metadata: JsonObject | undefined =
      result.metadata === undefined ? undefined : this.json(JsonValue.object(result.metadata)).asObject();
    return contents === result.contents && metadata === result.metadata ? result :
      new ToolResult(contents, result.isError, result.stopFlag, metadata);
  }

  /** The text of a message; calls and ids stay. */
  message(message: AgentMessage): AgentMessage {
    const contents: ReadonlyArray<ContentPart> = this.parts(message.contents);
    if (contents === message.contents) {
      return message;
    }
    const init: AgentMessageInit = message.toInit();
    init.contents = contents;
    return new AgentMessage(init);
  }

  /** The same error when it names no secret; otherwise one without the cause, which still would. */
  error(error: ArkAgentError): ArkAgentError {
    const message: string = this.text(error.message);
    let changed: boolean = message !== error.message;
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    if (error.details !== undefined) {
      for (const key of error.details.keys()) {
        const value: ErrorDetail = error.details.get(key) as ErrorDetail;
        const masked: ErrorDetail = this.detail(value);
        changed = changed || masked !== value;
        details.set(key, masked);
      }
    }
    if (!changed && (error.cause === undefined || this.text(error.cause.message) === error.cause.message)) {
      return error;
    }
    const options: ArkAgentErrorOptions = {
      retryability: error.retryability, retryAfterMs: error.retryAfterMs, details: error.details === undefined ? undefined : details
    };
    return new ArkAgentError(error.layer, error.code, message, options);
  }

  /** What a stream may show so far; see `RedactingChunkFilter`. */
  scan(text: string, final: boolean): SecretScan {
    return this.find(text, final, this.all);
  }

  /** A stretch of a scanned text with its placeholders; what begins before it is left to whoever showed that. */
  masked(scan: SecretScan, from: number, to: number): string {
    let out: string = '';
    let copied: number = from;
    for (const match of scan.matches) {
      if (match.end <= copied || match.start >= to) {
        continue;
      }
      out += (match.start > copied ? scan.text.substring(copied, match.start) : '') +
        Placeholder.of(this.book.labelOf(scan.text.substring(match.start, match.end), match.kind));
      copied = match.end;
    }
    return copied < to ? out + scan.text.substring(copied, to) : out;
  }

  private detail(value: ErrorDetail): ErrorDetail {
    if (typeof value === 'string') {
      return this.text(value);
    }
    if (typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    const masked: string[] = value.map<string>((line: string): string => this.text(line));
    return masked.every((line: string, at: number): boolean => line === value[at]) ? value : masked;
  }

  private parts(contents: ReadonlyArray<ContentPart>): ReadonlyArray<ContentPart> {
    let changed: boolean = false;
    const parts: ContentPart[] = contents.map<ContentPart>((part: ContentPart): ContentPart => {
      const masked: ContentPart = this.part(part);
      changed = changed || masked !== part;
      return masked;
    });
    return changed ? parts : contents;
  }

  private part(part: ContentPart): ContentPart {
    const json: JsonValue | undefined = part.asJson();
    if (json !== undefined) {
      const masked: JsonValue = this.json(json);
      return masked === json ? part : ContentPart.json(masked);
    }
    const text: string | undefined = part.asText();
    if (text !== undefined) {
      const masked: string = this.text(text);
      return masked === text ? part : ContentPart.text(masked);
    }
    const uri: string = part.asUri() ?? '';
    const mime: string = part.mimeType() ?? '';
    const maskedUri: string = this.text(uri);
    const maskedMime: string = this.text(mime);
    return maskedUri === uri && maskedMime === mime ? part : reference(part.kind, maskedUri, maskedMime);
  }

  private mask(text: string, rules: ReadonlyArray<SecretRule>): string {
    if (text.length < MIN_TEXT) {
      return text;
    }
    return this.plain(JsonStrings.mayBe(text) ? this.strings(text, rules, 0) : text, rules);
  }

  /** @param depth how many texts this one is inside of, each a string of the next */
  private strings(text: string, rules: ReadonlyArray<SecretRule>, depth: number): string {
    return JsonStrings.map(text, (value: string, name: string, isName: boolean): string => {
      const inner: string = depth < JsonStrings.MAX_NESTED && value.length >= MIN_TEXT && JsonStrings.mayBe(value) ?
        this.strings(value, rules, depth + 1) : value;
      return this.named(inner, name, rules);
    });
  }

  /** A string with the name of its member, which may say more about it than it does itself. */
  private named(value: string, name: string, rules: ReadonlyArray<SecretRule>): string {
    if (name === '') {
      return value.length < MIN_TEXT ? value : this.plain(value, rules);
    }
    const found: NamedSecret = SecretNames.meaning(name, false);
    switch (found.meaning) {
      case NameMeaning.nothing:
        return value.length < MIN_TEXT ? value : this.plain(value, rules);
      case NameMeaning.authorization:
      case NameMeaning.cookie:
        return this.plain(`${name}: ${value}`, rules).substring(name.length + 2);
      default:
        return isWholeSecret(value, found.meaning) ? Placeholder.of(this.book.labelOf(value, found.kind)) : this.plain(value, rules);
    }
  }

  private plain(text: string, rules: ReadonlyArray<SecretRule>): string {
    let masked: string = text;
    for (let round: number = 0; round < MAX_ROUNDS; round++) {
      const known: number = this.book.watchedCount;
      const scan: SecretScan = this.find(masked, true, rules);
      if (scan.matches.length === 0) {
        break;
      }
      masked = this.masked(scan, 0, masked.length);
      if (this.book.watchedCount === known) {
        break;
      }
      // What was learned here may also stand where no rule sees it.
    }
    return masked;
  }

  private find(text: string, final: boolean, rules: ReadonlyArray<SecretRule>): SecretScan {
    const scan: SecretScan = new SecretScan(text, final);
    this.scanner.run(scan);
    this.book.find(scan);
    for (const rule of rules) {
      let match: SecretMatch | undefined = rule.find(text, 0);
      while (match !== undefined && match.end > match.start) {
        scan.matches.push(match);
        match = rule.find(text, match.end);
      }
    }
    scan.settle();
    return scan;
  }
}

function isWholeSecret(value: string, meaning: NameMeaning): boolean {
  if (Credential.isReference(value, 0, value.length)) {
    return false;
  }
  return meaning === NameMeaning.secret ? value.length >= MIN_NAMED :
    value.length >= MIN_MAYBE && Credential.isMixed(value, 0, value.length);
}

function reference(kind: ContentKind, uri: string, mime: string): ContentPart {
  switch (kind) {
    case ContentKind.image:
      return ContentPart.image(uri, mime);
    case ContentKind.audio:
      return ContentPart.audio(uri, mime);
    default:
      return ContentPart.file(uri, mime);
  }
}
