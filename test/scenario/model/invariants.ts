import { encoded } from '../../support/World';
import type { Actor } from './Actor';
import type { Bench } from './Bench';
import { fault } from './Reference';

interface StoredMessage { id: string; role: string; toolCalls?: { id: string }[]; toolCallId?: string }
interface StoredItem { approvalId: string; position: number; decision: string; toolCall: { id: string }; digest?: string; kind: string }
interface StoredCall { position: number; status: string; digest?: string }
interface StoredState {
  history: StoredMessage[];
  run?: { status: string; stopReason?: string };
  openBatch?: { assistantMessageId: string; calls: StoredCall[] };
  pendingApproval?: { modelMessageId: string; items: StoredItem[] };
}

/** The rules of the stored state and of what was told, after every command; written against the text form alone. */
export async function expectSound(bench: Bench): Promise<void> {
  const stored = bench.checked === bench.commits ? undefined : (await bench.world.disk.load(bench.world.sessionId)).value;
  if (stored !== undefined) {
    bench.checked = bench.commits;
    const text = encoded(stored);
    const broken = brokenRule(JSON.parse(text) as StoredState, text);
    if (broken !== undefined) fault(broken);
  }
  if (bench.world.violations.length > 0) fault(bench.world.violations.join('\n'));
  for (const actor of bench.actors) expectToldOnce(actor);
  expectOneEnding(bench);
}

/** The invariants of a stored state; undefined when all hold. */
export function brokenRule(state: StoredState, text: string): string | undefined {
  if (/function|=>|executor|callback|apiKey/.test(text)) return 'the stored text holds what is no data';
  return brokenPairs(state) ?? brokenItems(state) ?? brokenRun(state);
}

/** Every result answers one earlier call; every call has its result before the conversation goes on, or the journal accounts for it. */
function brokenPairs(state: StoredState): string | undefined {
  let owed: string[] = [];
  const last = state.history.length - 1;
  for (let at = 0; at <= last; at++) {
    const message = state.history[at];
    if (message.role === 'tool') {
      if (owed.shift() !== message.toolCallId) return `message ${message.id} answers nothing in its place`;
    } else {
      if (owed.length > 0) return `${message.id} came before the result of ${owed[0]}`;
      owed = (message.toolCalls ?? []).map((call) => call.id);
    }
  }
  const asker = state.history.filter((message) => message.role !== 'tool').at(-1);
  const journal = state.openBatch?.assistantMessageId === asker?.id || (asker?.id === state.history.at(-1)?.id && state.run?.status === 'running');
  return owed.length > 0 && !journal ? `nothing accounts for ${owed[0]}` : undefined;
}

function brokenItems(state: StoredState): string | undefined {
  const pending = state.pendingApproval;
  if (pending === undefined) return undefined;
  const message = state.history.find((known) => known.id === pending.modelMessageId);
  if (new Set(pending.items.map((item) => item.approvalId)).size !== pending.items.length) return 'two questions have one id';
  for (const item of pending.items) {
    if (message?.toolCalls?.[item.position]?.id !== item.toolCall.id) return `${item.approvalId} names no call of its message`;
    const call = state.openBatch?.calls.find((known) => known.position === item.position);
    const isLatest = pending.items.filter((other) => other.position === item.position).at(-1) === item;
    if (call === undefined || (isLatest && call.digest !== item.digest)) return `${item.approvalId} is about another call than the journal`;
  }
  return undefined;
}

function brokenRun(state: StoredState): string | undefined {
  const undecided = state.pendingApproval?.items.some((item) => item.decision === 'pending') ?? false;
  if (state.run?.status === 'finished' && state.pendingApproval !== undefined) return 'a finished run has something pending';
  if (state.run?.status === 'running' && undecided) return 'a run goes on while a question is open';
  const waits = state.pendingApproval !== undefined || state.run?.stopReason === 'suspended';
  return state.run?.status === 'suspended' && !waits ? 'a suspended run waits for nothing' : undefined;
}

/** One process told each thing once: pieces in order, one afterRun and one ending per segment, one terminal call per observer. */
function expectToldOnce(actor: Actor): void {
  const told = actor.wire.told;
  if (actor.heard() !== actor.observed()) fault(`the bus heard "${actor.heard()}", observers "${actor.observed()}"`);
  if (!told.startsWith(actor.heard()) || (actor.alive && actor.heard() !== told)) fault(`the model said "${told}", told was "${actor.heard()}"`);
  const after = actor.afterRuns;
  if (new Set(after).size !== after.length) fault(`afterRun came twice: ${after}`);
  for (const segment of actor.segments) {
    if (segment.observer.terminals > 1) fault('an observer was ended twice');
    if (segment.ending !== undefined && segment.ending !== 'stopped' && segment.observer.terminals !== 1) fault(`ended with ${segment.ending} and ${segment.observer.terminals} terminal calls`);
  }
  if (!actor.alive || actor.busy) return;
  const endings = actor.endings();
  const missing = actor.begun().filter((segment) => !after.includes(segment));
  if (missing.length > 0) fault(`no afterRun for ${missing}`);
  if (endings.length !== after.length) fault(`${after.length} segments ended, told were ${endings}`);
}

/** Whichever processes had a part in a run: one of them tells its end, once. */
function expectOneEnding(bench: Bench): void {
  const ends = bench.actors.flatMap((actor) => actor.endings()).filter((line) => !/suspended|lost/.test(line)).map((line) => line.split(' ')[1]);
  if (new Set(ends).size !== ends.length) fault(`a run ended twice: ${ends}`);
  const run = bench.main.process.runtime.snapshot().run;
  const writer = bench.actors[bench.reference.writers.at(-1) ?? 0];
  if (bench.reference.status === 'finished' && writer?.alive === true && !writer.busy && bench.isFresh(bench.main) && !ends.includes(run?.runId ?? '')) {
    fault('a run ended and nobody was told');
  }
}
