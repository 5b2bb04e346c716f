import { ApprovalScope, BatchDenyMode, UnknownOutcomePolicy } from '@core/approval/ApprovalModes';
import type { JsonObject } from '@core/json/JsonObject';
import { JsonCodec } from '@core/json/JsonCodec';
import { type AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CountingIdGenerator } from '@core/testing/CountingIdGenerator';
import { TestDigest } from '@core/testing/TestDigest';
import type { ToolCallScope } from '@core/tool/ToolCallScope';
import type { ToolContext } from '@core/tool/ToolContext';
import { BaseToolExecutor } from '@core/tool/ToolExecutor';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { World } from '../../support/World';
import { Actor } from './Actor';
import type { TurnPlan } from './BatchBook';
import { fault, Reference, type Rules } from './Reference';

/** Milliseconds until a question expires. */
export const TTL_MS = 10_000;
/** More than a cancelled call gets to end. */
export const GRACE_MS = 2_001;

const RISKS = { read: ToolRiskLevel.safe, pay: ToolRiskLevel.dangerous, put: ToolRiskLevel.sensitive };

/**
 * The world of a sequence: one disk, up to two live processes, a model that follows the script, tools that wait when the script
 * says so. Between two commands nothing moves: everything that can happen has happened.
 */
export class Bench {
  readonly world = new World();
  readonly reference: Reference;
  readonly script: TurnPlan[] = [];
  /** Everything that ever ran, dead processes too. */
  readonly actors: Actor[] = [];
  main!: Actor;
  other: Actor | undefined = undefined;
  commits = 0;
  steps = 0;
  /** The number of commits at which the stored state was checked last. */
  checked = 0;
  revision = 0;
  private proposed = 0;
  private wrong: string | undefined = undefined;

  constructor(rules: Rules) {
    this.reference = new Reference(rules);
    this.reference.peakMs = this.world.clock.nowMs();
    this.world.onCommit = (commit) => this.guarded(() => {
      this.commits++;
      if (commit.next.revision !== this.revision + 1) fault(`revision ${commit.next.revision} after ${this.revision}`);
      this.revision = commit.next.revision;
      this.reference.peakMs = Math.max(this.reference.peakMs, this.world.clock.nowMs());
      this.reference.committed(commit.reason, commit.next, Number(commit.next.commitId.slice(1).split('-')[0]));
    });
  }

  async begin(): Promise<Bench> {
    this.main = await this.start();
    return this;
  }

  live(): Actor[] {
    return [this.main, ...(this.other === undefined ? [] : [this.other])].filter((actor) => actor.alive);
  }

  /** Knows the newest state. */
  isFresh(actor: Actor): boolean {
    return actor.process.runtime.snapshot().revision === this.revision;
  }

  /** A process starts; a fault that a timer of it finds is the sequence's. */
  async start(): Promise<Actor> {
    const rules = this.reference.rules;
    const actor = new Actor(this.actors.length, (request) => this.turn(request.messages.toArray()));
    this.actors.push(actor);
    actor.process = await this.world.open({
      controller: actor.controller, log: actor.log,
      config: {
        provider: actor.wire, toolRegistry: this.registry(actor), hooks: [actor.hook()], approvalTtlMs: TTL_MS,
        batchDenyMode: rules.atomic ? BatchDenyMode.atomic : BatchDenyMode.independent,
        approvalScope: rules.whole ? ApprovalScope.wholeBatch : ApprovalScope.flagged,
        unknownOutcomePolicy: rules.asksRetry ? UnknownOutcomePolicy.ask : UnknownOutcomePolicy.report,
        ports: { clock: this.world.clock, scheduler: actor.timers, ids: new CountingIdGenerator(`p${actor.pid}`), digest: new TestDigest() },
      },
    });
    if (rules.attached) actor.process.runtime.attach(actor.log.observer());
    return actor;
  }

  /** Lets everything happen that can; the process that died at a planned commit is replaced. */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.other !== undefined && !this.other.alive) this.other = undefined;
    if (!this.main.alive) {
      this.main = await this.start();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (this.wrong !== undefined) fault(this.wrong);
  }

  /** Time passes for the clock and for the timers of the living. */
  advance(ms: number): void {
    this.world.clock.advance(ms);
    this.reference.peakMs = Math.max(this.reference.peakMs, this.world.clock.nowMs());
    for (const actor of this.live()) actor.timers.advance(ms);
  }

  /** A fault found inside the runtime is told by the next `settle`: thrown there it would be an error of the storage. */
  private guarded(check: () => void): void {
    try {
      check();
    } catch (e) {
      this.note((e as Error).message);
    }
  }

  /** A fault of something that nobody waits for; told by the next `settle`. */
  note(message: string): void {
    this.wrong = this.wrong ?? message;
  }

  private turn(messages: ReadonlyArray<AgentMessage>): ScriptedTurn {
    this.guarded(() => expectPairs(messages));
    const plan = this.script.shift() ?? { pieces: 1, calls: [] };
    const number = ++this.proposed;
    const pieces = Array.from({ length: plan.pieces }, (_, at) => `t${number}.${at} `);
    const turn = ScriptedTurn.text(...pieces);
    plan.calls.forEach((call, at) => {
      const id = `c${number}-${at}`;
      this.reference.plans.set(id, call);
      turn.call(id, call.tool, `{"n":${number * 10 + at}}`);
    });
    this.reference.texts.add(pieces.join(''));
    return turn;
  }

  private registry(actor: Actor): ToolRegistry {
    const registry = new ToolRegistry();
    const schema = () => new JsonCodec().parseObject('{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}').value;
    for (const name of ['read', 'pay', 'put'] as const) {
      const tool = new BenchTool((key, args) => this.enter(actor, name, key, args));
      registry.register(new ToolDefinition(name, `The tool ${name}.`, schema(), RISKS[name]), tool, { idempotent: name === 'put', timeoutMs: 0 });
    }
    return registry;
  }

  private async enter(actor: Actor, name: string, key: string, args: JsonObject): Promise<ToolResult> {
    this.guarded(() => {
      if (!actor.alive) fault(`${key} ran in a process that is gone`);
      // Without an effect nothing is stored before, so that a process that lost the session may still look.
      if (name !== 'read' || this.isFresh(actor)) this.reference.entered(key, `{"n":${args.getNumber('n')}}`);
    });
    if (this.reference.call(key)?.call.plan.slow === true) {
      await new Promise<void>((resolve) => actor.gates.push({ key, open: resolve }));
    }
    return ToolResult.text(`did ${key} ${args.getNumber('n')}`);
  }
}

class BenchTool extends BaseToolExecutor {
  constructor(private readonly work: (key: string, args: JsonObject) => Promise<ToolResult>) {
    super();
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const scope = context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope;
    return this.work(scope.idempotencyKey, args);
  }
}

/** What a provider is sent: every call with its results right behind it. */
function expectPairs(messages: ReadonlyArray<AgentMessage>): void {
  for (let at = 0; at < messages.length; at++) {
    if (messages[at].role === MessageRole.tool) fault(`message ${at} of a request answers nothing`);
    for (const call of messages[at].toolCalls) {
      at++;
      if (messages[at]?.toolCallId !== call.id) fault(`${call.id} has no result in a request`);
    }
  }
}
