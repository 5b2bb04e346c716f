import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { SchemaKeyword, SubschemaForm } from './SchemaKeyword';

/** How strict a profile is beyond its list of keywords. */
export interface KeywordSetOptions {
  /** Whether every schema object must name its `type`. */
  typeRequired: boolean;
}

/**
 * The keywords of a profile, in the order in which their rules are asked. Immutable.
 *
 * What is not in the set is refused at registration: a keyword that nobody enforces would be a promise to the app that
 * nobody keeps.
 */
export class KeywordSet {
  readonly keywords: ReadonlyArray<SchemaKeyword>;
  readonly typeRequired: boolean;
  private readonly byName: Map<string, SchemaKeyword> = new Map<string, SchemaKeyword>();

  constructor(keywords: ReadonlyArray<SchemaKeyword>, options: KeywordSetOptions) {
    this.keywords = keywords;
    this.typeRequired = options.typeRequired;
    for (const keyword of keywords) {
      this.byName.set(keyword.name, keyword);
    }
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** A copy of a schema that this set accepts, without the annotations at every level; names of properties stay. */
  withoutAnnotations(schema: JsonObject): JsonObject {
    const kept: JsonObject = new JsonObject();
    for (const name of schema.keys()) {
      const keyword: SchemaKeyword | undefined = this.byName.get(name);
      if (keyword === undefined || !keyword.isAnnotation) {
        const form: SubschemaForm = keyword === undefined ? SubschemaForm.none : keyword.subschemas;
        kept.set(name, this.bare(schema.get(name) as JsonValue, form));
      }
    }
    return kept;
  }

  private bare(value: JsonValue, form: SubschemaForm): JsonValue {
    const inner: JsonObject | undefined = value.asObject();
    if (inner === undefined || form === SubschemaForm.none) {
      return value;
    }
    if (form === SubschemaForm.one) {
      return JsonValue.object(this.withoutAnnotations(inner));
    }
    const members: JsonObject = new JsonObject();
    for (const name of inner.keys()) {
      members.set(name, this.bare(inner.get(name) as JsonValue, SubschemaForm.one));
    }
    return JsonValue.object(members);
  }
}
