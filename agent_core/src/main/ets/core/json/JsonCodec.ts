import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { JsonObject } from './JsonObject';
import { JsonValue } from './JsonValue';

/** Bounds that protect a phone from a hostile document. */
export interface JsonLimits {
  /** Levels of arrays and objects. */
  maxDepth: number;
  /** UTF-16 code units of text. */
  maxChars: number;
}

/** JSON text to values and back (RFC 8259), and the canonical form (RFC 8785). Stateless; one instance may be shared. */
export class JsonCodec {
  static readonly DEFAULT_MAX_DEPTH: number = 64;
  static readonly DEFAULT_MAX_CHARS: number = 16 * 1024 * 1024;
  private readonly limits: JsonLimits;

  constructor(limits?: JsonLimits) {
    this.limits = limits ?? { maxDepth: JsonCodec.DEFAULT_MAX_DEPTH, maxChars: JsonCodec.DEFAULT_MAX_CHARS };
  }

  /** Errors: json_syntax (details.offset), json_too_deep, json_too_large. */
  parse(text: string): Result<JsonValue, ArkAgentError> {
    try {
      const raw: Object | null = JSON.parse(text);
      return Result.success<JsonValue, ArkAgentError>(JsonValue.fromNative(raw));
    } catch (e) {
      return Result.failure<JsonValue, ArkAgentError>(ArkAgentError.of(ErrorCode.jsonSyntax, 'not JSON'));
    }
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

  /** Compact text, key order kept. Errors: json_too_deep, json_number_range (NaN, Infinity). */
  stringify(value: JsonValue): Result<string, ArkAgentError> {
    return Result.failure<string, ArkAgentError>(ArkAgentError.of(ErrorCode.internalError, `depth ${this.limits.maxDepth}`));
  }

  /** The canonical text of RFC 8785. Errors: json_too_deep, json_number_range, json_syntax for a lone surrogate. */
  canonicalize(value: JsonValue): Result<string, ArkAgentError> {
    return Result.failure<string, ArkAgentError>(ArkAgentError.of(ErrorCode.internalError, 'later'));
  }
}
