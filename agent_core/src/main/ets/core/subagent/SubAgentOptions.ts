import { ToolApprovalPolicy } from '../approval/ApprovalPolicy';
import { AuthorizationPolicy } from '../approval/AuthorizationPolicy';
import { AgentHook } from '../hook/AgentHook';
import { ModelProvider } from '../model/ModelProvider';
import { ModelOptions } from '../model/ModelRequest';
import { AgentLimitsInit } from '../runtime/config/AgentLimits';
import { ToolSelector } from '../tool/ToolSelector';

/**
 * How workers differ from the session that they work for. Everything else is that session's: storage, hooks, policies,
 * services, limits. What is named here comes on top and can only make a worker's rules stricter.
 */
export interface SubAgentOptions {
  /** Default: the session's. */
  provider?: ModelProvider;
  modelOptions?: ModelOptions;
  /** Default: a sentence that says that nobody can be asked and that the last message is the answer. */
  systemPrompt?: string;
  /** What the model reads about `delegate_task`; default English. */
  description?: string;
  /** Names of tools that workers do not get; default `write_todos`, because a plan belongs to one session. */
  excludedTools?: ReadonlyArray<string>;
  /** Narrows what the session's own selectors show. */
  toolSelector?: ToolSelector;
  /** Run after the session's. */
  hooks?: ReadonlyArray<AgentHook>;
  approvalPolicy?: ToolApprovalPolicy;
  authorizationPolicy?: AuthorizationPolicy;
  /** A bound takes effect where it is lower than the session's. */
  limits?: AgentLimitsInit;
  /** Levels of workers below the session: 1, workers have none of their own. */
  maxDepth?: number;
  /** Tasks that one run of one session may delegate: 8. */
  maxChildrenPerRun?: number;
  /** Milliseconds that a worker may work without a pause, waiting for a person not counted; 600,000; 0 = no bound. */
  timeoutMs?: number;
  /** UTF-16 code units of a worker's answer: 16,000. */
  maxResultChars?: number;
}

/** The options with every default filled in. Immutable. */
export class WorkerRules {
  static readonly DEFAULT_PROMPT: string = 'You work on one task for another agent. You cannot ask anybody questions. ' +
    'When you are done, or cannot go on, say what you did and what you found: your last message is all that the other agent gets.';
  static readonly DEFAULT_DESCRIPTION: string = 'Gives a self-contained task to a helper with the same tools and waits for its answer. ' +
    'The helper knows nothing of this conversation: put everything it needs into the task.';
  readonly given: SubAgentOptions;
  readonly systemPrompt: string;
  readonly description: string;
  readonly excludedTools: ReadonlyArray<string>;
  readonly hooks: ReadonlyArray<AgentHook>;
  readonly maxDepth: number;
  readonly maxChildrenPerRun: number;
  readonly timeoutMs: number;
  readonly maxResultChars: number | undefined;

  constructor(options: SubAgentOptions) {
    this.given = options;
    this.systemPrompt = options.systemPrompt ?? WorkerRules.DEFAULT_PROMPT;
    this.description = options.description ?? WorkerRules.DEFAULT_DESCRIPTION;
    this.excludedTools = (options.excludedTools ?? ['write_todos']).slice();
    this.hooks = (options.hooks ?? []).slice();
    this.maxDepth = options.maxDepth ?? 1;
    this.maxChildrenPerRun = options.maxChildrenPerRun ?? 8;
    this.timeoutMs = options.timeoutMs ?? 600000;
    this.maxResultChars = options.maxResultChars;
  }

  /** Names every bound that no author can mean. */
  problems(): string[] {
    const found: string[] = [];
    if (!Number.isSafeInteger(this.maxDepth) || this.maxDepth < 1) {
      found.push('maxDepth must be a whole number of at least 1');
    }
    if (!Number.isSafeInteger(this.maxChildrenPerRun) || this.maxChildrenPerRun < 1) {
      found.push('maxChildrenPerRun must be a whole number of at least 1');
    }
    return found;
  }
}
