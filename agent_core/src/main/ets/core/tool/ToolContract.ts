import { JsonObject } from '../json/JsonObject';

/** What a tool changes in the world. Declared by its author, never by the model. */
export enum ToolEffect {
  none = 'none',
  reversible = 'reversible',
  irreversible = 'irreversible'
}

/** How a tool reacts to a cancelled signal. */
export enum ToolCancellation {
  /** Stops at its next safe point; the whole grace is waited for that. */
  cooperative = 'cooperative',
  /** Stops at once and leaves nothing half done: no grace is waited for. */
  immediate = 'immediate',
  /** Cannot be stopped: its signal never fires, and the grace is a chance to end by itself. */
  none = 'none'
}

/** What the world says about an effect whose outcome was lost. */
export enum ProbeOutcome {
  happened = 'happened',
  notHappened = 'not_happened',
  cannotTell = 'cannot_tell'
}

/** Asks the world whether an effect happened, before anybody asks the person. Must not have effects itself. */
export interface EffectProbe {
  probe(idempotencyKey: string): Promise<ProbeOutcome>;
}

/** One sentence for the approval card, made from the call and not from the model's prose. */
export interface ToolDescriber {
  /** @param language a BCP 47 tag such as zh-CN or en */
  describe(args: JsonObject, language: string): string;
}

/** Names the paths and hosts that an argument object touches, for authorization. */
export interface ToolResources {
  paths(args: JsonObject): ReadonlyArray<string>;
  hosts(args: JsonObject): ReadonlyArray<string>;
}

/** What the author of a tool promises. Every member is optional; the defaults are the safe ones. */
export interface ToolContract {
  /** Milliseconds from the moment when the call starts; default 60,000; 0 means no time-out. */
  timeoutMs?: number;
  /** Milliseconds that a call may wait behind others of its batch; after that it does not start. Default 0: any time. */
  queueTimeoutMs?: number;
  /** Default by risk: safe none, sensitive reversible, dangerous irreversible (DEC-30). */
  effect?: ToolEffect;
  /** The same idempotency key twice has one effect; default false. */
  idempotent?: boolean;
  /** Default cooperative. */
  cancellation?: ToolCancellation;
  /** May run beside its neighbours; default false. */
  concurrencySafe?: boolean;
  /** May become a job, which goes on beside whatever comes after it; default false. */
  background?: boolean;
  /** UTF-16 code units of result text that go to the model; default 16,000. */
  maxResultChars?: number;
  resources?: ToolResources;
  /** Polling it with equal arguments is no loop while its results differ; default false. */
  pollable?: boolean;
  probe?: EffectProbe;
  /** Name for people. */
  title?: string;
  describer?: ToolDescriber;
}
