import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ContentKind, ContentPart } from '../../message/ContentPart';
import { ToolResult } from '../../tool/ToolResult';

/**
 * Results of foreign code, copied and looked at before anything is made of them: a type is a promise that a tool or a hook may
 * break, and what it keeps a hand on it may still change.
 */
export class SoundResult {
  /** @returns undefined when a part of the result is not what its type says */
  static of(result: ToolResult): ToolResult | undefined {
    if (!isList(result.contents) || typeof result.isError !== 'boolean' || typeof result.stopFlag !== 'boolean') {
      return undefined;
    }
    const parts: ContentPart[] = [];
    for (const part of result.contents) {
      const sound: ContentPart | undefined = soundPart(part);
      if (sound === undefined) {
        return undefined;
      }
      parts.push(sound);
    }
    const metadata: JsonObject | undefined = result.metadata;
    if (metadata !== undefined && !(metadata instanceof JsonObject)) {
      return undefined;
    }
    return new ToolResult(parts, result.isError, result.stopFlag, metadata === undefined ? undefined : ownObject(metadata));
  }
}

function isList(contents: ReadonlyArray<ContentPart>): boolean {
  return Array.isArray(contents);
}

/** Parts never change, but the JSON in one may. */
function soundPart(part: ContentPart): ContentPart | undefined {
  if (!(part instanceof ContentPart)) {
    return undefined;
  }
  switch (part.kind) {
    case ContentKind.text:
      return typeof part.asText() === 'string' ? part : undefined;
    case ContentKind.json:
      return soundJson(part);
    case ContentKind.image:
    case ContentKind.audio:
    case ContentKind.file:
      return isText(part.asUri()) && isText(part.mimeType()) ? part : undefined;
    default:
      return undefined;
  }
}

function soundJson(part: ContentPart): ContentPart | undefined {
  const value: JsonValue | undefined = part.asJson();
  return value instanceof JsonValue ? ContentPart.json(value.clone().seal()) : undefined;
}

function ownObject(json: JsonObject): JsonObject {
  return json.sealed ? json : json.clone().seal();
}

function isText(text: string | undefined): boolean {
  return text === undefined || typeof text === 'string';
}
