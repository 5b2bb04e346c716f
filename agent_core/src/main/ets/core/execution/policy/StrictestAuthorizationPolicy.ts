import {
  AuthorizationAction, AuthorizationPolicy, AuthorizationRequest, AuthorizationResult
} from '../../approval/AuthorizationPolicy';

/**
 * Several policies as one: the strictest answer wins, reject before requireConfirmation before allow (DEC-46). They are asked in
 * order, one after another, until one rejects; put those that look nothing up first. A policy that fails rejects. The answer
 * carries the name of the policy that gave it.
 */
export class StrictestAuthorizationPolicy implements AuthorizationPolicy {
  readonly name: string = 'strictest';
  private readonly policies: ReadonlyArray<AuthorizationPolicy>;

  constructor(policies: ReadonlyArray<AuthorizationPolicy>) {
    this.policies = policies.slice();
  }

  async authorize(request: AuthorizationRequest): Promise<AuthorizationResult> {
    let strictest: AuthorizationResult = AuthorizationResult.allow();
    for (const policy of this.policies) {
      const answer: AuthorizationResult = await ask(policy, request);
      if (answer.action === AuthorizationAction.allow) {
        continue;
      }
      const named: AuthorizationResult = answer.by === '' ? answer.saidBy(policy.name) : answer;
      if (answer.action !== AuthorizationAction.requireConfirmation) {
        return named;
      }
      if (strictest.action === AuthorizationAction.allow) {
        strictest = named;
      }
    }
    return strictest;
  }
}

async function ask(policy: AuthorizationPolicy, request: AuthorizationRequest): Promise<AuthorizationResult> {
  try {
    const answer: AuthorizationResult = await policy.authorize(request);
    return answer instanceof AuthorizationResult ? answer : AuthorizationResult.reject('the policy gave no answer');
  } catch (e) {
    return AuthorizationResult.reject('the policy failed');
  }
}
