/** The stable keys of the runtime's events. An app may publish events of its own under keys of its own. */
export class ControllerEventTypes {
  /** Every event. */
  static readonly all: string = '*';
  static readonly agentStarted: string = 'agent.started';
  static readonly agentResumed: string = 'agent.resumed';
  static readonly agentSuccess: string = 'agent.success';
  static readonly agentSuspended: string = 'agent.suspended';
  static readonly agentFailed: string = 'agent.failed';
  static readonly agentCancelled: string = 'agent.cancelled';
  static readonly agentCancelRequested: string = 'agent.cancel_requested';
  static readonly beforeCallLlm: string = 'llm.before';
  static readonly afterCallLlm: string = 'llm.after';
  static readonly llmChunk: string = 'llm.chunk';
  static readonly beforeToolCall: string = 'tool.before';
  static readonly afterToolCall: string = 'tool.after';
  static readonly toolProgress: string = 'tool.progress';
  static readonly approvalRequired: string = 'approval.required';
  static readonly approvalExpiring: string = 'approval.expiring';
  static readonly approvalResolved: string = 'approval.resolved';
  static readonly planChanged: string = 'plan.changed';
  static readonly planReviewRequired: string = 'plan.review_required';
  static readonly jobChanged: string = 'job.changed';
  static readonly jobProgress: string = 'job.progress';
  static readonly loopDetected: string = 'loop.detected';
  static readonly statePersisted: string = 'state.persisted';
  static readonly rateDeparted: string = 'metrics.departed';
  static readonly hookDiagnostic: string = 'hook.diagnostic';
}
