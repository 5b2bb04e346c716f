import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { Digest } from '../port/Digest';

/**
 * Binds a consent to what will run: `v1:sha256:<hex>` over the canonical JSON of name, arguments and definition hash.
 * Key order and number spelling do not matter, types do (S4).
 */
export class CallDigest {
  static readonly VERSION_PREFIX: string = 'v1:sha256:';

  static of(digest: Digest, codec: JsonCodec, name: string, args: JsonObject,
    definitionHash: string): Result<string, ArkAgentError> {
    const bound: JsonObject = new JsonObject()
      .setString('name', name)
      .set('arguments', JsonValue.object(args))
      .setString('definition', definitionHash);
    const text: Result<string, ArkAgentError> = codec.canonicalize(JsonValue.object(bound));
    if (!text.ok) {
      return text;
    }
    return Result.success<string, ArkAgentError>(CallDigest.VERSION_PREFIX + digest.sha256Hex(text.value));
  }

  /** The same, for arguments whose canonical text is known already. Errors: json_syntax, for a name without canonical form. */
  static ofCanonical(digest: Digest, codec: JsonCodec, name: string, canonicalArguments: string,
    definitionHash: string): Result<string, ArkAgentError> {
    const rest: Result<string, ArkAgentError> = codec.canonicalize(JsonValue.object(
      new JsonObject().setString('name', name).setString('definition', definitionHash)));
    // In canonical order `arguments` stands before the others.
    return !rest.ok ? rest : Result.success<string, ArkAgentError>(CallDigest.VERSION_PREFIX +
      digest.sha256Hex(`{"arguments":${canonicalArguments},${rest.value.substring(1)}`));
  }
}
