import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import type { AuthorizationPolicy } from '@core/approval/AuthorizationPolicy';
import { Result } from '@core/base/Result';
import { NetworkPolicy } from '@core/execution/policy/NetworkPolicy';
import { NetworkTargets } from '@core/execution/policy/NetworkTargets';
import { StrictestAuthorizationPolicy } from '@core/execution/policy/StrictestAuthorizationPolicy';
import { WorkspacePathPolicy } from '@core/execution/policy/WorkspacePathPolicy';
import { WorkspacePaths } from '@core/execution/policy/WorkspacePaths';
import type { JsonObject } from '@core/json/JsonObject';
import { JsonCodec } from '@core/json/JsonCodec';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import type { HostLookupError, HostResolver } from '@core/port/HostResolver';
import type { ToolContract } from '@core/tool/ToolContract';
import type { ToolContext } from '@core/tool/ToolContext';
import { BaseToolExecutor } from '@core/tool/ToolExecutor';
import type { ToolResult } from '@core/tool/ToolResult';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { NodePathResolver } from '../../../host/src/policy/NodePathResolver';
import { ACTS, jsonOf } from './acts';

const SHAPE = {
  type: 'object', required: ['path', 'n'], properties: {
    path: { type: 'string' }, url: { type: 'string' }, n: { type: 'integer' }, text: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
};
const ANY = { type: 'object' };

interface Known { name: string; risk: ToolRiskLevel; schema: object; contract: ToolContract }

const texts = (args: JsonObject, name: string): string[] => [args.getString(name) ?? ''].filter((text) => text !== '');

/** The tools that hostile calls aim at. */
const TOOLS: ReadonlyArray<Known> = [
  { name: 'open', risk: ToolRiskLevel.safe, schema: ANY, contract: { timeoutMs: 5000 } },
  { name: 'strict', risk: ToolRiskLevel.safe, schema: SHAPE, contract: { timeoutMs: 5000, maxResultChars: 300 } },
  { name: 'beside', risk: ToolRiskLevel.safe, schema: SHAPE, contract: { timeoutMs: 5000, concurrencySafe: true } },
  { name: 'background', risk: ToolRiskLevel.safe, schema: ANY, contract: { timeoutMs: 5000, background: true } },
  { name: 'file', risk: ToolRiskLevel.safe, schema: SHAPE, contract: { timeoutMs: 5000, resources: { paths: (args) => texts(args, 'path'), hosts: () => [] } } },
  { name: 'fetch', risk: ToolRiskLevel.safe, schema: SHAPE, contract: { timeoutMs: 5000, resources: { paths: () => [], hosts: (args) => texts(args, 'url') } } },
  { name: 'send', risk: ToolRiskLevel.sensitive, schema: SHAPE, contract: { timeoutMs: 5000 } },
  { name: 'wipe', risk: ToolRiskLevel.dangerous, schema: SHAPE, contract: { timeoutMs: 5000, background: true, describer: { describe: (args) => `wipes ${jsonOf(args)}` } } },
];

export const TOOL_NAMES: ReadonlyArray<string> = TOOLS.map((tool) => tool.name);

/** What is expected of the next entries of executors. */
export interface Plan {
  acts: ReadonlyArray<string>;
  /** Texts that may reach an executor: what the model wrote, what a hook or a person put in its place. */
  texts: ReadonlyArray<string>;
  unknown: UnknownArgumentPolicy;
  /** A hook put marks of the call's own secrets elsewhere, which it may: what stands there is not known here. */
  movesMarks: boolean;
}

/** The place where hostile calls and hostile tools meet, with a judge of its own at the door of every executor. */
export class Grounds {
  private readonly top = realpathSync(mkdtempSync(`${tmpdir()}/arkagent-hostile-`));
  private readonly root = `${this.top}/work`;
  private readonly judges = new Map<string, ValidateFunction>();
  private readonly registries = new Map<UnknownArgumentPolicy, ToolRegistry>();
  private plan: Plan = { acts: ['echo'], texts: [], unknown: UnknownArgumentPolicy.allow, movesMarks: false };
  private turn = 0;
  private settlers: (() => void)[] = [];
  /** What went wrong at a door. */
  faults: string[] = [];
  entries = 0;
  policy!: AuthorizationPolicy;

  static async open(): Promise<Grounds> {
    const grounds = new Grounds();
    mkdirSync(`${grounds.root}/sub`, { recursive: true });
    writeFileSync(`${grounds.root}/a.txt`, 'a');
    writeFileSync(`${grounds.top}/out.txt`, 'out');
    symlinkSync('..', `${grounds.root}/link`);
    const paths = await WorkspacePaths.open(new NodePathResolver(), [{ path: grounds.root, writable: true }]);
    const names: HostResolver = { lookup: async () => Result.success<readonly string[], HostLookupError>(['93.184.215.14']) };
    const targets = NetworkTargets.create(names, { schemes: ['https', 'http'], hosts: ['example.com'] });
    grounds.policy = new StrictestAuthorizationPolicy([new WorkspacePathPolicy(paths.value), new NetworkPolicy(targets.value)]);
    return grounds;
  }

  constructor() {
    const ajv = new Ajv();
    for (const tool of TOOLS) {
      this.judges.set(tool.name, ajv.compile(tool.schema));
    }
  }

  dispose(): void {
    rmSync(this.top, { recursive: true, force: true });
  }

  registry(unknown: UnknownArgumentPolicy): ToolRegistry {
    const made = this.registries.get(unknown) ?? this.makeRegistry(unknown);
    this.registries.set(unknown, made);
    return made;
  }

  /** A case begins. */
  expect(plan: Plan): void {
    this.plan = plan;
    this.turn = 0;
    this.settlers = [];
    this.faults = [];
  }

  /** Lets calls that hang come to an end. */
  settleLate(): void {
    for (const settle of this.settlers.splice(0)) settle();
  }

  enter(tool: Known, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    this.entries++;
    const json = jsonOf(args);
    this.judge(tool, json);
    const act = ACTS[this.plan.acts[this.turn++ % this.plan.acts.length]];
    return act({ args, json, context, later: (settle) => this.settlers.push(settle) }) as Promise<ToolResult>;
  }

  private judge(tool: Known, json: string): void {
    const value: unknown = JSON.parse(json);
    if (this.judges.get(tool.name)?.(value) !== true) this.faults.push(`${tool.name} was entered with arguments that its schema refuses`);
    if (this.plan.unknown !== UnknownArgumentPolicy.allow && tool.schema === SHAPE && Object.keys(value as object).some((key) => !Object.hasOwn(SHAPE.properties, key))) this.faults.push(`${tool.name} was entered with an unknown argument`);
    if (!this.plan.movesMarks && this.plan.unknown !== UnknownArgumentPolicy.strip && !this.plan.texts.some((text) => same(text, value))) this.faults.push(`${tool.name} was entered with arguments that nobody wrote`);
    if (tool.name === 'file' && !this.isInside((value as { path: string }).path)) this.faults.push('a file outside of the workspace');
    if (tool.name === 'fetch' && !isAllowed((value as { url?: string }).url)) this.faults.push('a host that is not allowed');
  }

  /** By the system's own resolver: the deepest part that exists. */
  private isInside(path: string): boolean {
    if (path === '') return true;
    for (let at = path.startsWith('/') ? path : `${this.root}/${path}`; ; at = at.slice(0, at.lastIndexOf('/'))) {
      try {
        return `${realpathSync(at)}/`.startsWith(`${this.root}/`);
      } catch {
        if (!at.includes('/')) return false;
      }
    }
  }

  private makeRegistry(unknown: UnknownArgumentPolicy): ToolRegistry {
    const registry = new ToolRegistry({ unknownArguments: unknown });
    for (const tool of TOOLS) {
      const definition = new ToolDefinition(tool.name, `The tool ${tool.name}.`, new JsonCodec().parseObject(JSON.stringify(tool.schema)).value, tool.risk);
      const done = registry.register(definition, new Target(this, tool), tool.contract);
      if (!done.ok) throw done.error;
    }
    return registry;
  }
}

class Target extends BaseToolExecutor {
  constructor(private readonly grounds: Grounds, private readonly tool: Known) {
    super();
  }

  /** Not async on purpose: what an act throws is thrown at the caller. */
  override execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    return this.grounds.enter(this.tool, args, context);
  }
}

function isAllowed(url: string | undefined): boolean {
  return url === undefined || url === '' || (URL.canParse(url) && new URL(url).hostname === 'example.com') || url === 'example.com';
}

function same(text: string, value: unknown): boolean {
  if (text === '') return isDeepStrictEqual(value, {});
  try {
    // Written once more, so that -0 is 0 on both sides.
    return isDeepStrictEqual(JSON.parse(JSON.stringify(JSON.parse(text))), value);
  } catch {
    return false;
  }
}
