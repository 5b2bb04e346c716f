import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { AgentController } from '../control/AgentController';
import { AgentFeature } from '../control/AgentFeature';
import { ControllerEventTypes } from '../control/ControllerEventTypes';
import { AgentControllerEvent } from '../control/event/AgentControllerEvent';
import { ApprovalExpiringEvent, ApprovalResolvedEvent } from '../control/event/ApprovalEvents';
import { AgentRuntime } from '../runtime/AgentRuntime';
import { FeatureLink } from '../runtime/session/FeatureLink';
import { ResolvedConfig } from '../runtime/config/ResolvedConfig';
import { AgentState } from '../state/AgentState';
import { StateStorage } from '../state/StateStorage';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ChildQuestionNames } from './ChildQuestionNames';
import { ChildStorage } from './ChildStorage';
import { ParentLink } from './ParentLink';
import { WorkerRules } from './SubAgentOptions';
import { WorkerConfig } from './WorkerConfig';

/** A child session that is open in this process. */
export interface OpenChild {
  runtime: AgentRuntime;
  names: ChildQuestionNames;
}

/** The feature of a child session, and how the child's registry gets what is its own. */
export interface Worker {
  feature: AgentFeature;
  addTools: (registry: ToolRegistry) => Result<boolean, ArkAgentError>;
}

/** @param above the session that the worker works for */
export type WorkerMaker = (parent: ParentLink, root: ResolvedConfig, above: FeatureLink) => Worker;

/** Opens child sessions: only the one that belongs to the call, with the rules of the session that it works for. */
export class ChildDoor {
  /** The name under which workers get their own way to delegate; the session's is not theirs. */
  private readonly toolName: string;
  private readonly rules: WorkerRules;
  private readonly makeWorker: WorkerMaker;

  constructor(toolName: string, rules: WorkerRules, makeWorker: WorkerMaker) {
    this.toolName = toolName;
    this.rules = rules;
    this.makeWorker = makeWorker;
  }

  /**
   * Errors: those of `AgentRuntime.open`; state_invariant_broken for a session that does not name this call as its parent.
   *
   * @param onBegun called once when a new child has stored its first state, before it goes on
   */
  async open(link: FeatureLink, root: ResolvedConfig, parent: ParentLink,
    onBegun: () => Promise<void>): Promise<Result<OpenChild, ArkAgentError>> {
    const childSessionId: string = parent.childSessionId(root.ports.digest);
    const stored: Result<AgentState | undefined, ArkAgentError> = await ChildDoor.load(root.storage, childSessionId);
    if (!stored.ok) {
      return stored.recast<OpenChild>();
    }
    const state: AgentState | undefined = stored.value;
    if (state !== undefined && ParentLink.read(state.slices)?.equals(parent) !== true) {
      return Result.failure<OpenChild, ArkAgentError>(
        ArkAgentError.of(ErrorCode.stateInvariantBroken, 'the session does not belong to this call'));
    }
    const worker: Worker = this.makeWorker(parent, root, link);
    const registry: Result<ToolRegistry, ArkAgentError> = WorkerConfig.registry(root, this.rules, this.toolName);
    const added: Result<boolean, ArkAgentError> = registry.ok ? worker.addTools(registry.value) : registry.recast<boolean>();
    if (!added.ok) {
      return added.recast<OpenChild>();
    }
    const names: ChildQuestionNames = new ChildQuestionNames(link.sessionId, childSessionId);
    const opened: Result<AgentRuntime, ArkAgentError> = await AgentRuntime.open(WorkerConfig.of(root, this.rules, {
      sessionId: childSessionId, registry: registry.value, feature: worker.feature,
      controller: forwarding(link, names), storage: new ChildStorage(root.storage, state !== undefined, onBegun)
    }));
    return opened.ok ? Result.success<OpenChild, ArkAgentError>({ runtime: opened.value, names: names }) :
      opened.recast<OpenChild>();
  }

  static async load(storage: StateStorage, sessionId: string): Promise<Result<AgentState | undefined, ArkAgentError>> {
    try {
      return await storage.load(sessionId);
    } catch (e) {
      return Result.failure<AgentState | undefined, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateLoadFailed, e as Object, 'the storage failed'));
    }
  }
}

/** What becomes of a child's questions is told at the parent, under their names there; nothing else of a child is. */
function forwarding(link: FeatureLink, names: ChildQuestionNames): AgentController {
  const controller: AgentController = new AgentController();
  controller.subscribe(ControllerEventTypes.approvalResolved, (event: AgentControllerEvent): void => {
    if (event instanceof ApprovalResolvedEvent) {
      link.publish(names.resolved(event, link.stamp()));
      if (event.allDecided && event.closedBy === '') {
        link.onChildDecided();
      }
    }
  });
  controller.subscribe(ControllerEventTypes.approvalExpiring, (event: AgentControllerEvent): void => {
    if (event instanceof ApprovalExpiringEvent) {
      link.publish(names.expiring(event, link.stamp()));
    }
  });
  return controller;
}
