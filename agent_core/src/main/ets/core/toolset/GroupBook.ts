import { FeatureSession } from '../control/AgentFeature';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { StateSlice } from '../state/StateSlice';
import { OpenGroups } from '../tool/selector/GroupSelector';

/** The groups that a session has opened, as its state holds them: what is rolled back or reloaded counts at once. */
export class GroupBook implements OpenGroups {
  static readonly SLICE: string = 'tool_groups';
  static readonly VERSION: number = 1;
  private readonly initial: ReadonlySet<string>;
  private session: FeatureSession | undefined = undefined;
  private readFrom: StateSlice | undefined = undefined;
  private read: ReadonlySet<string>;

  /** @param initial groups that are open from the start */
  constructor(initial: ReadonlyArray<string>) {
    this.initial = new Set<string>(initial);
    this.read = this.initial;
  }

  attach(session: FeatureSession): void {
    this.session = session;
    this.readFrom = undefined;
    this.read = this.initial;
  }

  get sessionId(): string | undefined {
    return this.session?.sessionId;
  }

  /** Written by a newer version of the app: it must stay as it is. */
  get foreign(): boolean {
    const slice: StateSlice | undefined = this.session?.getSlice(GroupBook.SLICE);
    return slice !== undefined && slice.version > GroupBook.VERSION;
  }

  open(): ReadonlySet<string> {
    const slice: StateSlice | undefined = this.session?.getSlice(GroupBook.SLICE);
    if (slice !== this.readFrom) {
      this.readFrom = slice;
      this.read = slice === undefined || slice.version !== GroupBook.VERSION ? this.initial : this.withInitial(slice.json);
    }
    return this.read;
  }

  /** In the next commit of the session. @returns false when it is open already */
  add(name: string): boolean {
    const now: ReadonlySet<string> = this.open();
    if (now.has(name)) {
      return false;
    }
    const names: string[] = Array.from(now).concat([name]);
    names.sort();
    this.session?.putSlice(GroupBook.SLICE,
      new StateSlice(GroupBook.VERSION, new JsonObject().set('open', JsonValue.strings(names))));
    return true;
  }

  private withInitial(json: JsonObject): ReadonlySet<string> {
    const names: Set<string> = new Set<string>(this.initial);
    for (const value of json.getArray('open') ?? []) {
      const name: string | undefined = value.asString();
      if (name !== undefined) {
        names.add(name);
      }
    }
    return names;
  }
}
