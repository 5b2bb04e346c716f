import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { CallStatus, OpenCall } from '../state/OpenCall';
import { SliceAccess } from '../state/SliceAccess';
import { StateSlice } from '../state/StateSlice';

/** What is known about an effect of a child session. */
export enum EffectState {
  started = 'started',
  finished = 'finished',
  unknown = 'unknown'
}

/** One effect that began. */
export interface BookedEffect {
  /** Unique in the session. */
  id: string;
  tool: string;
  state: EffectState;
}

/**
 * In a child session: which effects began, so that a parent whose run is cancelled can say what has happened. Written in the
 * same commits as the journal of the calls.
 */
export class EffectBook {
  static readonly SLICE: string = 'subagent.effects';
  private static readonly VERSION: number = 1;

  /** In the order in which they began. */
  static read(slices: ReadonlyMap<string, StateSlice>): ReadonlyArray<BookedEffect> {
    return EffectBook.entriesOf(slices.get(EffectBook.SLICE));
  }

  /** Takes over what the journal of a batch says now. A call that was withdrawn before it ran is no effect. */
  static note(slices: SliceAccess, batchId: string, calls: ReadonlyArray<OpenCall>): void {
    for (const call of calls) {
      if (call.idempotencyKey !== undefined && call.childSessionId === undefined) {
        EffectBook.put(slices, `${batchId}:${call.position}`, call.effective.name, stateOf(call));
      }
    }
  }

  /** What a child of this session did counts as done by this one too. */
  static adopt(slices: SliceAccess, childSessionId: string, effects: ReadonlyArray<BookedEffect>): void {
    for (const effect of effects) {
      EffectBook.put(slices, `${childSessionId}/${effect.id}`, effect.tool, effect.state);
    }
  }

  private static put(slices: SliceAccess, id: string, tool: string, state: EffectState | undefined): void {
    const known: ReadonlyArray<BookedEffect> = EffectBook.entriesOf(slices.getSlice(EffectBook.SLICE));
    const before: BookedEffect | undefined = known.find((effect: BookedEffect) => effect.id === id);
    if (before?.state === state) {
      return;
    }
    const next: BookedEffect[] = known.filter((effect: BookedEffect) => effect.id !== id || state !== undefined)
      .map<BookedEffect>((effect: BookedEffect) => effect.id === id ? entry(id, tool, state ?? effect.state) : effect);
    if (before === undefined && state !== undefined) {
      next.push(entry(id, tool, state));
    }
    slices.putSlice(EffectBook.SLICE, new StateSlice(EffectBook.VERSION, new JsonObject().setArray('effects',
      next.map<JsonValue>((effect: BookedEffect) => JsonValue.object(new JsonObject()
        .setString('id', effect.id).setString('tool', effect.tool).setString('state', effect.state))))));
  }

  private static entriesOf(slice: StateSlice | undefined): ReadonlyArray<BookedEffect> {
    const found: BookedEffect[] = [];
    for (const item of slice?.json.getArray('effects') ?? []) {
      const json: JsonObject | undefined = item.asObject();
      const id: string = json?.getString('id') ?? '';
      found.push(entry(id, json?.getString('tool') ?? '', stateNamed(json?.getString('state'))));
    }
    return found;
  }
}

function entry(id: string, tool: string, state: EffectState): BookedEffect {
  const effect: BookedEffect = { id: id, tool: tool, state: state };
  return effect;
}

/** Whatever cannot be read counts as an effect that nobody knows of. */
function stateNamed(name: string | undefined): EffectState {
  return name === EffectState.started ? EffectState.started :
    name === EffectState.finished ? EffectState.finished : EffectState.unknown;
}

function stateOf(call: OpenCall): EffectState | undefined {
  switch (call.status) {
    case CallStatus.started:
      return EffectState.started;
    case CallStatus.finished:
      return EffectState.finished;
    case CallStatus.unknown:
      return EffectState.unknown;
    default:
      return call.mayHaveHappened ? EffectState.unknown : undefined;
  }
}
