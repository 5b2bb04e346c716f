import { IdGenerator } from '../../port/IdGenerator';
import { JsonObject, NativeRecord } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ToolCall } from '../../message/ToolCall';
import { numberOf, objectOf, parseObject, textOf, WireFunction, WireToolCall } from './WireTypes';

/** The place of a fragment that is the only one of its list. */
const ALONE: number = -1;

/** A call that is still growing. */
class OpenCall {
  id: string;
  readonly index: number | undefined;
  name: string;
  argumentsJson: string = '';
  extra: Object | undefined = undefined;

  constructor(id: string, index: number | undefined, name: string) {
    this.id = id;
    this.index = index;
    this.name = name;
  }

  /** Whether the arguments so far are one JSON object. Asked on rare paths only. */
  isWhole(): boolean {
    return this.argumentsJson.trimEnd().endsWith('}') && parseObject(this.argumentsJson) !== undefined;
  }

  /** Providers send the name once, again and again, growing, or in pieces. */
  addName(piece: string): void {
    if (this.name === '' || (piece.length > this.name.length && piece.startsWith(this.name))) {
      this.name = piece;
    } else if (piece !== '' && piece !== this.name) {
      this.name += piece;
    }
  }
}

/**
 * Puts streamed tool calls together; a state machine over (id, index, order) of each fragment.
 *
 * | fragment | goes to |
 * | --- | --- |
 * | index not seen before | a new call |
 * | known index, no id, the id of the call, or another id without a name | the call of that index; its first id stands |
 * | known index, another id and a name | a new call on that index, unless it is the same name and the arguments so far are not whole |
 * | known index, no id, another name, arguments so far whole | a new call on that index |
 * | no index, known id | the last call with that id (a new call when it brings a name and arguments and that call is whole) |
 * | no index, unknown id | a new call; without a name, the last call |
 * | no index, no id, a name | a new call, unless it is the last call's name and its arguments are not whole |
 * | no index, no id, no name | the call in the same place of the list, or the last one |
 *
 * Two fragments without index in one list never belong to one call. Arguments are joined as they come: what is not JSON in the end stays so and is
 * rejected by the pipeline, never repaired here.
 */
export class ToolCallAssembler {
  private readonly ids: IdGenerator;
  private readonly calls: OpenCall[] = [];
  private readonly byIndex: Map<number, OpenCall> = new Map<number, OpenCall>();

  constructor(ids: IdGenerator) {
    this.ids = ids;
  }

  /** Whether any fragment came. */
  get started(): boolean {
    return this.calls.length > 0;
  }

  /** Takes one `tool_calls` list of a delta. */
  addList(list: ReadonlyArray<Object | null>): void {
    const before: number = this.calls.length;
    for (let place: number = 0; place < list.length; place++) {
      const raw: Object | undefined = objectOf(list[place]);
      if (raw !== undefined) {
        this.addFragment(raw as WireToolCall, list.length > 1 ? place : ALONE, before);
      }
    }
  }

  /** The one call of the older `function_call` member. */
  addFunctionCall(raw: Object): void {
    const wire: WireToolCall = { index: 0, function: raw };
    this.addFragment(wire, ALONE, this.calls.length);
  }

  /**
   * The calls, with ids that are unique and not empty (DEC-47): a second use of an id gets `#2`, a missing one is generated. By index where
   * every call has its own, otherwise in order of appearance.
   */
  finish(): ToolCall[] {
    const taken: Set<string> = new Set<string>();
    const finished: ToolCall[] = [];
    for (const open of this.ordered()) {
      const id: string = this.uniqueId(open.id, taken);
      taken.add(id);
      finished.push(new ToolCall(id, open.name, open.argumentsJson, finished.length));
    }
    return finished;
  }

  /** What a call carries beside name and arguments, by position; undefined when no call carries anything. */
  extras(): JsonValue | undefined {
    const list: JsonValue[] = [];
    let any: boolean = false;
    for (const open of this.ordered()) {
      const members: JsonObject = new JsonObject();
      if (open.extra !== undefined) {
        any = true;
        members.setObject('extra_content', JsonObject.fromNative(open.extra as NativeRecord));
      }
      list.push(JsonValue.object(members));
    }
    return any ? JsonValue.array(list) : undefined;
  }

  /**
   * @param place position in its list, ALONE in a list of one
   * @param before how many calls there were before this list
   */
  private addFragment(wire: WireToolCall, place: number, before: number): void {
    const body: WireFunction = (objectOf(wire.function) ?? wire) as WireFunction;
    const id: string = idOf(wire.id);
    const name: string = textOf(body.name) ?? '';
    const index: number | undefined = indexOf(wire.index);
    const piece: string = argumentsOf(body.arguments);
    const found: OpenCall | undefined = index !== undefined ? this.findByIndex(index, id, name) :
      this.findByOrder(id, name, piece !== '', place, before);
    const call: OpenCall = found ?? this.open(id, index, name);
    if (found !== undefined) {
      found.addName(name);
      found.id = found.id === '' ? id : found.id;
    }
    call.argumentsJson += piece;
    if (wire.extra_content !== undefined) {
      call.extra = objectOf(wire.extra_content) ?? call.extra;
    }
  }

  private findByIndex(index: number, id: string, name: string): OpenCall | undefined {
    const call: OpenCall | undefined = this.byIndex.get(index);
    if (call === undefined || name === '') {
      return call;
    }
    const otherId: boolean = id !== '' && call.id !== '' && id !== call.id;
    if (otherId) {
      return name === call.name && !call.isWhole() ? call : undefined;
    }
    return id === '' && name !== call.name && call.isWhole() ? undefined : call;
  }

  private findByOrder(id: string, name: string, bringsArguments: boolean, place: number,
    before: number): OpenCall | undefined {
    const last: OpenCall | undefined = place <= 0 ? this.last() : undefined;
    if (id !== '') {
      const known: OpenCall | undefined = this.findById(id, before);
      if (known !== undefined) {
        return name !== '' && bringsArguments && known.isWhole() ? undefined : known;
      }
      return name === '' ? last : undefined;
    }
    if (name !== '') {
      return last !== undefined && last.name === name && !last.isWhole() ? last : undefined;
    }
    return place >= 0 && place < before ? this.calls[place] : this.last();
  }

  private findById(id: string, count: number): OpenCall | undefined {
    for (let at: number = count - 1; at >= 0; at--) {
      if (this.calls[at].id === id) {
        return this.calls[at];
      }
    }
    return undefined;
  }

  private open(id: string, index: number | undefined, name: string): OpenCall {
    const call: OpenCall = new OpenCall(id, index, name);
    this.calls.push(call);
    if (index !== undefined) {
      this.byIndex.set(index, call);
    }
    return call;
  }

  private last(): OpenCall | undefined {
    return this.calls.length === 0 ? undefined : this.calls[this.calls.length - 1];
  }

  private ordered(): ReadonlyArray<OpenCall> {
    const real: OpenCall[] = this.calls.filter((call: OpenCall): boolean =>
      call.name !== '' || call.argumentsJson !== '' || call.id !== '');
    if (this.byIndex.size === this.calls.length) {
      real.sort((a: OpenCall, b: OpenCall): number => (a.index as number) - (b.index as number));
    }
    return real;
  }

  private uniqueId(id: string, taken: Set<string>): string {
    if (id === '') {
      return `call_${this.ids.nextId()}`;
    }
    let unique: string = id;
    for (let copy: number = 2; taken.has(unique); copy++) {
      unique = `${id}#${copy}`;
    }
    return unique;
  }
}

function idOf(raw: Object | null | undefined): string {
  const number: number | undefined = numberOf(raw);
  return number !== undefined ? `${number}` : textOf(raw) ?? '';
}

function indexOf(raw: Object | null | undefined): number | undefined {
  const text: string | undefined = textOf(raw);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : numberOf(raw);
}

function argumentsOf(raw: Object | null | undefined): string {
  if (typeof raw === 'string') {
    return raw as string;
  }
  return raw === null || raw === undefined ? '' : JSON.stringify(raw);
}
