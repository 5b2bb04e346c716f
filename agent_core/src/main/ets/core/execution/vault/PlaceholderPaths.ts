import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { Placeholder } from '../redaction/Placeholder';

/** Which placeholder stands where in the arguments of a call: an edit may drop one, not move one or bring one (DEC-37). */
export class PlaceholderPaths {
  private readonly at: Map<string, Set<string>> = new Map<string, Set<string>>();

  /** @returns whether every placeholder of the edited text stands where the shown text had it */
  static kept(shown: string, edited: string, codec: JsonCodec): boolean {
    if (!Placeholder.isIn(edited)) {
      // A placeholder that is spelled with escapes is found in the parsed text only.
      if (edited.indexOf('\\') < 0) {
        return true;
      }
    }
    const before: PlaceholderPaths = PlaceholderPaths.of(shown, codec);
    const after: PlaceholderPaths = PlaceholderPaths.of(edited, codec);
    for (const path of after.at.keys()) {
      for (const label of after.at.get(path) as Set<string>) {
        if (before.at.get(path)?.has(label) !== true) {
          return false;
        }
      }
    }
    return true;
  }

  private static of(text: string, codec: JsonCodec): PlaceholderPaths {
    const paths: PlaceholderPaths = new PlaceholderPaths();
    const parsed: Result<JsonValue, ArkAgentError> = codec.parse(text);
    if (parsed.ok) {
      paths.gather(parsed.value, '');
    }
    return paths;
  }

  private gather(value: JsonValue, path: string): void {
    const object: JsonObject | undefined = value.asObject();
    const items: ReadonlyArray<JsonValue> | undefined = value.asArray();
    if (object !== undefined) {
      object.forEach((key: string, member: JsonValue): void => {
        const inner: string = `${path}.${JSON.stringify(key)}`;
        this.note(key, inner);
        this.gather(member, inner);
      });
    } else if (items !== undefined) {
      items.forEach((item: JsonValue, at: number): void => this.gather(item, `${path}[${at}]`));
    } else {
      this.note(value.asString() ?? '', path);
    }
  }

  private note(text: string, path: string): void {
    for (const label of Placeholder.labels(text)) {
      const known: Set<string> = this.at.get(path) ?? new Set<string>();
      known.add(label);
      this.at.set(path, known);
    }
  }
}
