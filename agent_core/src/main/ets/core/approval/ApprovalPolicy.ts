import { ToolCall } from '../message/ToolCall';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';

export enum ApprovalAction {
  allow = 'allow',
  deny = 'deny',
  requireConfirmation = 'require_confirmation'
}

/** What a policy answers about one call. Immutable. */
export class ApprovalPolicyResult {
  readonly action: ApprovalAction;
  /** For people: why it is asked or refused; empty for allow. */
  readonly reason: string;

  private constructor(action: ApprovalAction, reason: string) {
    this.action = action;
    this.reason = reason;
  }

  static allow(): ApprovalPolicyResult {
    return new ApprovalPolicyResult(ApprovalAction.allow, '');
  }

  static deny(reason: string): ApprovalPolicyResult {
    return new ApprovalPolicyResult(ApprovalAction.deny, reason);
  }

  static requireConfirmation(reason: string): ApprovalPolicyResult {
    return new ApprovalPolicyResult(ApprovalAction.requireConfirmation, reason);
  }
}

/**
 * Decides whether a person has to consent to a call.
 *
 * Contract: pure and quick; asked again when an approved batch is about to run, and then a deny beats the older yes (DEC-51).
 * A throw counts as requireConfirmation. The call holds the effective name and arguments; gates have passed.
 */
export interface ToolApprovalPolicy {
  decide(call: ToolCall, definition?: ToolDefinition): ApprovalPolicyResult;
}

/** Safe tools run, the others ask; an unknown tool is allowed so that the registry answers tool_not_found. */
export class DefaultToolApprovalPolicy implements ToolApprovalPolicy {
  decide(call: ToolCall, definition?: ToolDefinition): ApprovalPolicyResult {
    if (definition === undefined || definition.riskLevel === ToolRiskLevel.safe) {
      return ApprovalPolicyResult.allow();
    }
    const word: string = definition.riskLevel === ToolRiskLevel.dangerous ? 'Dangerous' : 'Sensitive';
    return ApprovalPolicyResult.requireConfirmation(`${word} tool "${definition.name}" requires confirmation`);
  }
}

/** Several policies as one: the strictest answer wins, deny before requireConfirmation before allow (DEC-46). */
export class StrictestToolApprovalPolicy implements ToolApprovalPolicy {
  private readonly policies: ReadonlyArray<ToolApprovalPolicy>;

  constructor(policies: ReadonlyArray<ToolApprovalPolicy>) {
    this.policies = policies.slice();
  }

  decide(call: ToolCall, definition?: ToolDefinition): ApprovalPolicyResult {
    let strictest: ApprovalPolicyResult = ApprovalPolicyResult.allow();
    for (const policy of this.policies) {
      const answer: ApprovalPolicyResult = ApprovalPolicyAsk.decide(policy, call, definition);
      if (answer.action === ApprovalAction.deny) {
        return answer;
      }
      if (answer.action === ApprovalAction.requireConfirmation &&
        (strictest.action === ApprovalAction.allow || ApprovalPolicyAsk.isFault(answer))) {
        strictest = answer;
      }
    }
    return strictest;
  }
}

const FAULT: ApprovalPolicyResult =
  ApprovalPolicyResult.requireConfirmation('The approval policy failed; asking to be safe');

/** The only way in which the runtime asks a policy: a throw, a promise or any other answer that is none means ask (S13). */
export class ApprovalPolicyAsk {
  static decide(policy: ToolApprovalPolicy, call: ToolCall, definition?: ToolDefinition): ApprovalPolicyResult {
    try {
      const answer: ApprovalPolicyResult = policy.decide(call, definition);
      if (answer instanceof ApprovalPolicyResult) {
        return answer;
      }
    } catch (e) {
      // Answered below.
    }
    return FAULT;
  }

  /** The policy did not answer. What it would have said is not known, so no grant may stand in for the person. */
  static isFault(answer: ApprovalPolicyResult): boolean {
    return answer === FAULT;
  }
}
