import {
  NetworkPolicy, NetworkTargets, Result, StrictestAuthorizationPolicy, ToolServiceRegistry, WorkspacePathPolicy, WorkspacePaths,
  type ArkAgentError, type AuthorizationPolicy, type HostResolver, type NetworkOptions, type PathResolver, type Scheduler,
} from 'agent_core';
import { NodeHostResolver } from '../policy/NodeHostResolver';
import { NodePathResolver } from '../policy/NodePathResolver';
import { FetchUrlTool } from './FetchUrlTool';
import { NodeWorkspaceFiles } from './NodeWorkspaceFiles';
import type { PageSource } from './PageSource';
import { PinnedPages } from './PinnedPages';
import { ReadTextTool } from './ReadTextTool';
import { RunReportTool } from './RunReportTool';
import type { SampleTool } from './SampleTool';
import { ToolWords } from './ToolWords';
import type { WorkspaceFiles } from './WorkspaceFiles';
import { WriteNoteTool } from './WriteNoteTool';

export interface WorkspaceToolOptions {
  /** Absolute path of an existing folder. */
  readonly folder: string;
  readonly scheduler: Scheduler;
  /** What the tools say: `zh` or, for anything else, English. */
  readonly language?: string;
  /** Hosts that fetch_url may reach. Without any there is no fetch_url. */
  readonly hosts?: readonly string[];
  /** Further rules of the network; `hosts` above counts. */
  readonly network?: NetworkOptions;
  readonly files?: WorkspaceFiles;
  readonly pages?: PageSource;
  readonly pathResolver?: PathResolver;
  readonly hostResolver?: HostResolver;
}

/** Four sample tools on a folder and on named hosts, with the services that they use and the policy that guards them. */
export class WorkspaceToolSet {
  private constructor(readonly tools: readonly SampleTool[], readonly services: ToolServiceRegistry, readonly authorization: AuthorizationPolicy) {}

  /** Errors: config_invalid for a folder that does not exist and for hosts that cannot be read. */
  static async open(options: WorkspaceToolOptions): Promise<Result<WorkspaceToolSet, ArkAgentError>> {
    const paths = await WorkspacePaths.open(options.pathResolver ?? new NodePathResolver(), [{ path: options.folder, writable: true }], { protectedNames: ['.git', '.env'] });
    if (!paths.ok) return paths.recast<WorkspaceToolSet>();
    const hosts = options.hosts ?? [];
    const network = NetworkTargets.create(options.hostResolver ?? new NodeHostResolver(), { ...options.network, hosts });
    if (!network.ok) return network.recast<WorkspaceToolSet>();
    const services = new ToolServiceRegistry();
    services.register(paths.value);
    services.register(network.value);
    const files = options.files ?? new NodeWorkspaceFiles();
    const words = new ToolWords((options.language ?? '').toLowerCase().startsWith('zh'));
    const tools = [ReadTextTool.tool(files, words), WriteNoteTool.tool(files, words), RunReportTool.tool(files, words)];
    if (hosts.length > 0 || (options.network?.privateHosts ?? []).length > 0) {
      tools.push(FetchUrlTool.tool(options.pages ?? new PinnedPages(options.scheduler), () => options.scheduler.monotonicMs(), words));
    }
    const policy = new StrictestAuthorizationPolicy([new WorkspacePathPolicy(paths.value), new NetworkPolicy(network.value)]);
    return Result.success<WorkspaceToolSet, ArkAgentError>(new WorkspaceToolSet(tools, services, policy));
  }
}
