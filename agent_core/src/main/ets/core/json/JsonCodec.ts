import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { CanonicalWriter } from './CanonicalWriter';
import { JsonFault } from './JsonFault';
import { JsonObject, wrapNative } from './JsonObject';
import { JsonParser } from './JsonParser';
import { JsonPrescan } from './JsonPrescan';
import { JsonValue } from './JsonValue';
import { JsonWriter } from './JsonWriter';

/** Bounds that protect a phone from a hostile document. */
export interface JsonLimits {
  /** Levels of arrays and objects, read or written; values above `JsonCodec.DEPTH_CEILING` count as that ceiling. */
  maxDepth: number;
  /** UTF-16 code units of text to parse. */
  maxChars: number;
}

/**
 * JSON text to values and back (RFC 8259), and the canonical form (RFC 8785). One instance may be shared.
 *
 * Defined outcomes at the edges: a repeated key keeps its first place and takes the last value; a lone surrogate is
 * kept, written as `\udXXX`, and refused in canonical form; -0 is read as 0; a number too large for a double is
 * `json_number_range`; a byte order mark is `json_syntax`. Integers beyond 2^53 - 1 are rounded as JavaScript does,
 * except in the exact readings, which refuse them.
 */
export class JsonCodec {
  static readonly DEFAULT_MAX_DEPTH: number = 128;
  static readonly DEFAULT_MAX_CHARS: number = 16 * 1024 * 1024;
  /** Deeper limits than this could exhaust a call stack and are lowered to it. */
  static readonly DEPTH_CEILING: number = 1000;
  private readonly maxDepth: number;
  private readonly maxChars: number;
  private readonly prescan: JsonPrescan = new JsonPrescan();
  private readonly writer: JsonWriter;
  private readonly canonicalWriter: CanonicalWriter;

  constructor(limits?: JsonLimits) {
    this.maxDepth = Math.min(limits?.maxDepth ?? JsonCodec.DEFAULT_MAX_DEPTH, JsonCodec.DEPTH_CEILING);
    this.maxChars = limits?.maxChars ?? JsonCodec.DEFAULT_MAX_CHARS;
    this.writer = new JsonWriter(this.maxDepth);
    this.canonicalWriter = new CanonicalWriter(this.maxDepth);
  }

  /** Errors: json_syntax, json_too_deep, json_number_range (each with details.offset), json_too_large. */
  parse(text: string): Result<JsonValue, ArkAgentError> {
    if (text.length > this.maxChars) {
      return Result.failure<JsonValue, ArkAgentError>(JsonFault.tooLarge(text.length, this.maxChars));
    }
    if (this.prescan.scan(text, this.maxDepth)) {
      try {
        const raw: Object | null = JSON.parse(text);
        return Result.success<JsonValue, ArkAgentError>(wrapNative(raw, this.prescan.depth, false));
      } catch (e) {
        // Native parsing does not say where; the parser below finds the fault again and does.
      }
    }
    return this.parseByHand(text);
  }

  /** As parse; json_not_object when the text is any other kind of value. */
  parseObject(text: string): Result<JsonObject, ArkAgentError> {
    const parsed: Result<JsonValue, ArkAgentError> = this.parse(text);
    if (!parsed.ok) {
      return parsed.recast<JsonObject>();
    }
    const found: JsonObject | undefined = parsed.value.asObject();
    if (found === undefined) {
      return Result.failure<JsonObject, ArkAgentError>(
        ArkAgentError.of(ErrorCode.jsonNotObject, `expected a JSON object, got ${parsed.value.kind}`));
    }
    return Result.success<JsonObject, ArkAgentError>(found);
  }

  /**
   * As parseObject; json_number_unsafe (details.offset) when a number is above 2^53 - 1 in magnitude, since what runs
   * could then differ from what was shown (DEC-53).
   */
  parseObjectExact(text: string): Result<JsonObject, ArkAgentError> {
    const parsed: Result<JsonObject, ArkAgentError> = this.parseObject(text);
    if (parsed.ok && this.prescan.unsafeOffset >= 0) {
      return Result.failure<JsonObject, ArkAgentError>(JsonFault.numberUnsafe(this.prescan.unsafeOffset));
    }
    return parsed;
  }

  /** Whether a number in the text is above 2^53 - 1 in magnitude, however it is spelled. Says nothing about faulty text. */
  hasUnsafeInteger(text: string): boolean {
    this.prescan.scan(text, this.maxDepth);
    return this.prescan.unsafeOffset >= 0;
  }

  /** Compact text, key order kept. Errors: json_too_deep, json_number_range (NaN, Infinity). */
  stringify(value: JsonValue): Result<string, ArkAgentError> {
    try {
      return Result.success<string, ArkAgentError>(this.writer.write(value));
    } catch (e) {
      return JsonCodec.writeFailure(e as Error);
    }
  }

  /** As stringify. */
  stringifyObject(object: JsonObject): Result<string, ArkAgentError> {
    try {
      return Result.success<string, ArkAgentError>(this.writer.writeObject(object));
    } catch (e) {
      return JsonCodec.writeFailure(e as Error);
    }
  }

  /** The canonical text of RFC 8785. Errors: json_too_deep, json_number_range, json_syntax for a lone surrogate. */
  canonicalize(value: JsonValue): Result<string, ArkAgentError> {
    try {
      return Result.success<string, ArkAgentError>(this.canonicalWriter.write(value));
    } catch (e) {
      return JsonCodec.writeFailure(e as Error);
    }
  }

  private parseByHand(text: string): Result<JsonValue, ArkAgentError> {
    try {
      return Result.success<JsonValue, ArkAgentError>(new JsonParser(text, this.maxDepth).parse());
    } catch (e) {
      return Result.failure<JsonValue, ArkAgentError>(ArkAgentError.wrap(ErrorCode.jsonSyntax, e as Error, 'JSON parsing'));
    }
  }

  private static writeFailure(thrown: Error): Result<string, ArkAgentError> {
    return Result.failure<string, ArkAgentError>(ArkAgentError.wrap(ErrorCode.jsonTooLarge, thrown, 'JSON writing'));
  }
}
