import { JsonObject } from '../../json/JsonObject';
import { OpenCall, CallStatus } from '../../state/OpenCall';
import { SliceAccess } from '../../state/SliceAccess';
import { SliceList } from '../store/SliceList';

/** An effect that was begun and of which nobody knows whether it happened. */
export interface UnknownEffect {
  batchId: string;
  position: number;
  toolName: string;
  /** `v1:sha256:…` over name, canonical arguments and definition. */
  digest: string;
}

/** The oldest go when there are more: a session that never settles anything must not grow without end. */
const KEPT: number = 200;

/**
 * Effects of unknown outcome whose batch is closed, in the slice `openEffects` (S9): proposing one again asks a person,
 * whatever policy and grants say. It is settled by a late result, or when a person lets it be made again.
 */
export class UnknownEffects {
  static readonly SLICE: string = 'openEffects';
  private readonly effects: SliceList<UnknownEffect>;

  constructor(slices: SliceAccess) {
    this.effects = new SliceList<UnknownEffect>(slices, UnknownEffects.SLICE, 'effects', decode, encode);
  }

  list(): ReadonlyArray<UnknownEffect> {
    return this.effects.get();
  }

  /** @param digest made only when an effect of the tool is unknown */
  has(toolName: string, digest: () => string | undefined): boolean {
    return this.effects.get().some((effect: UnknownEffect) => effect.toolName === toolName && effect.digest === digest());
  }

  /** The calls of a batch whose outcome nobody knows. */
  static of(batchId: string, calls: ReadonlyArray<OpenCall>): ReadonlyArray<UnknownEffect> {
    const found: UnknownEffect[] = [];
    for (const call of calls) {
      if (call.status === CallStatus.unknown && call.lateResult === undefined && call.digest !== undefined) {
        const effect: UnknownEffect = {
          batchId: batchId, position: call.position, toolName: call.effective.name, digest: call.digest
        };
        found.push(effect);
      }
    }
    return found;
  }

  /** A batch leaves the journal: its unknown calls stay known here. */
  collect(batchId: string, calls: ReadonlyArray<OpenCall>): void {
    const found: ReadonlyArray<UnknownEffect> = UnknownEffects.of(batchId, calls);
    if (found.length > 0) {
      this.effects.set(this.effects.get().concat(found).slice(-KEPT));
    }
  }

  /** The effect goes on without its call: until it ends nobody knows what becomes of it. */
  begun(effect: UnknownEffect): void {
    this.effects.set(this.effects.get().concat([effect]).slice(-KEPT));
  }

  /** What became of it is known now. */
  settle(batchId: string, position: number): void {
    const left: ReadonlyArray<UnknownEffect> = this.effects.get().filter((effect: UnknownEffect) =>
      effect.batchId !== batchId || effect.position !== position);
    if (left.length < this.effects.get().length) {
      this.effects.set(left);
    }
  }

  /** A person knew of it and lets the effect be made again. @returns takes that back */
  release(toolName: string, digest: string): () => void {
    const gone: ReadonlyArray<UnknownEffect> = this.effects.get().filter((effect: UnknownEffect) =>
      effect.toolName === toolName && effect.digest === digest);
    if (gone.length === 0) {
      return (): void => {
      };
    }
    this.effects.set(this.effects.get().filter((effect: UnknownEffect) => !gone.includes(effect)));
    return (): void => this.effects.set(this.effects.get().concat(gone));
  }
}

function decode(json: JsonObject): UnknownEffect | undefined {
  const toolName: string | undefined = json.getString('toolName');
  const digest: string | undefined = json.getString('digest');
  if (toolName === undefined || digest === undefined) {
    return undefined;
  }
  const effect: UnknownEffect = {
    batchId: json.getString('batchId') ?? '', position: json.getNumber('position') ?? 0, toolName: toolName, digest: digest
  };
  return effect;
}

function encode(effect: UnknownEffect): JsonObject {
  return new JsonObject().setString('batchId', effect.batchId).setNumber('position', effect.position)
    .setString('toolName', effect.toolName).setString('digest', effect.digest);
}
