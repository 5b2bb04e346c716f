import { ApprovalAction, ApprovalPolicyAsk, ApprovalPolicyResult, ToolApprovalPolicy } from '../../approval/ApprovalPolicy';
import {
  AuthorizationAction, AuthorizationPolicy, AuthorizationRequest, AuthorizationResult
} from '../../approval/AuthorizationPolicy';
import { AuditStep } from '../../port/AuditSink';
import { Scheduler, ScheduledTask } from '../../port/Scheduler';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { CallAudit } from '../audit/CallAudit';

export enum ConsentAction {
  allow = 'allow',
  /** Refused; no person is asked. */
  refuse = 'refuse',
  /** A person has to decide. */
  ask = 'ask'
}

/** What authorization and approval policy say together; `by` names who said it. Immutable. */
export class ConsentVerdict {
  readonly action: ConsentAction;
  readonly reason: string;
  readonly by: string;
  /** Only the approval policy asks: a grant may answer in the person's place (DEC-46). */
  readonly grantable: boolean;
  /** The policy threw, was silent or gave no answer that can be read. */
  readonly faulty: boolean;

  constructor(action: ConsentAction, reason: string, by: string, grantable: boolean = false, faulty: boolean = false) {
    this.action = action;
    this.reason = reason;
    this.by = by;
    this.grantable = grantable;
    this.faulty = faulty;
  }

  withReason(reason: string): ConsentVerdict {
    return new ConsentVerdict(this.action, reason, this.by, this.grantable, this.faulty);
  }
}

const ALLOWED: ConsentVerdict = new ConsentVerdict(ConsentAction.allow, '', 'policy');

/** Step 3 of the pipeline: authorization first, then the approval policy; the strictest answer wins. */
export class ConsentCheck {
  private readonly approval: ToolApprovalPolicy;
  private readonly authorization: AuthorizationPolicy | undefined;
  private readonly scheduler: Scheduler;
  private readonly timeoutMs: number;

  /** @param timeoutMs milliseconds that an authorization may take */
  constructor(approval: ToolApprovalPolicy, authorization: AuthorizationPolicy | undefined, scheduler: Scheduler,
    timeoutMs: number) {
    this.approval = approval;
    this.authorization = authorization;
    this.scheduler = scheduler;
    this.timeoutMs = timeoutMs;
  }

  async decide(sessionId: string, call: ToolCall, tool: RegisteredTool, args: JsonObject,
    audit: CallAudit = CallAudit.none()): Promise<ConsentVerdict> {
    let authorized: ConsentVerdict = ALLOWED;
    if (this.authorization !== undefined) {
      authorized = await this.authorize(this.authorization, sessionId, call, tool, args);
      audit.note(call, AuditStep.authorization, authorized === ALLOWED ? this.authorization.name : authorized.by,
        authorized.faulty ? 'fault' : authorized.action);
      if (authorized.action === ConsentAction.refuse) {
        return authorized;
      }
    }
    const answer: ApprovalPolicyResult = ApprovalPolicyAsk.decide(this.approval, call, tool.definition);
    audit.note(call, AuditStep.policy, 'policy', ApprovalPolicyAsk.isFault(answer) ? 'fault' : actionOf(answer));
    if (answer.action === ApprovalAction.deny) {
      return new ConsentVerdict(ConsentAction.refuse, answer.reason, 'policy');
    }
    if (answer.action === ApprovalAction.requireConfirmation) {
      return new ConsentVerdict(ConsentAction.ask, answer.reason, 'policy',
        authorized === ALLOWED && !ApprovalPolicyAsk.isFault(answer));
    }
    return authorized;
  }

  /** Fails closed: a throw, a time-out or an answer that is none counts as a rejection. */
  private async authorize(policy: AuthorizationPolicy, sessionId: string, call: ToolCall, tool: RegisteredTool,
    args: JsonObject): Promise<ConsentVerdict> {
    try {
      const request: AuthorizationRequest = {
        sessionId: sessionId, call: call, definition: tool.definition, effect: tool.contract.effect,
        args: args.clone().seal(), paths: tool.contract.resources?.paths(args.clone()) ?? [],
        hosts: tool.contract.resources?.hosts(args.clone()) ?? [],
        declaresResources: tool.contract.resources !== undefined
      };
      const silent: AuthorizationResult = AuthorizationResult.reject(
        `the authorization policy gave no answer within ${this.timeoutMs} ms`);
      const answer: AuthorizationResult = await this.inTime(policy.authorize(request), silent);
      const by: string = answer instanceof AuthorizationResult && answer.by !== '' ? answer.by : policy.name;
      if (answer instanceof AuthorizationResult && answer.action === AuthorizationAction.allow) {
        return ALLOWED;
      }
      if (answer instanceof AuthorizationResult && answer.action === AuthorizationAction.requireConfirmation) {
        return new ConsentVerdict(ConsentAction.ask, answer.reason, by);
      }
      return answer instanceof AuthorizationResult ?
        new ConsentVerdict(ConsentAction.refuse, answer.reason, by, false, answer === silent) :
        new ConsentVerdict(ConsentAction.refuse, 'the authorization policy gave no answer', by, false, true);
    } catch (e) {
      return new ConsentVerdict(ConsentAction.refuse, 'the authorization policy failed', policy.name, false, true);
    }
  }

  private inTime(answer: Promise<AuthorizationResult>, silent: AuthorizationResult): Promise<AuthorizationResult> {
    return new Promise<AuthorizationResult>((resolve: (value: AuthorizationResult) => void,
      reject: (error: Error) => void): void => {
      const late: ScheduledTask = this.scheduler.schedule(this.timeoutMs, (): void => resolve(silent));
      Promise.resolve(answer).then(resolve, reject).finally((): void => late.cancel());
    });
  }
}

function actionOf(answer: ApprovalPolicyResult): ConsentAction {
  switch (answer.action) {
    case ApprovalAction.allow:
      return ConsentAction.allow;
    case ApprovalAction.deny:
      return ConsentAction.refuse;
    default:
      return ConsentAction.ask;
  }
}
