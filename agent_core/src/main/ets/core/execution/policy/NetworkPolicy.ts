import { AuthorizationPolicy, AuthorizationRequest, AuthorizationResult } from '../../approval/AuthorizationPolicy';
import { Result } from '../../base/Result';
import { NetworkTarget } from './NetworkTarget';
import { NetworkTargets } from './NetworkTargets';
import { ResourceClaims, ResourcePolicyOptions } from './UndeclaredResources';
import { UrlFault, urlSentence } from './UrlFault';

/**
 * Lets a call through when every URL or host that its tool names may be reached. Tools should name whole URLs: a bare host is judged
 * as if it were asked with the first allowed scheme.
 *
 * The policy answers for the moment of the question, and names can change their addresses (DNS rebinding). The executor has to ask
 * `NetworkTargets.resolve` again and connect to the addresses that it gives.
 */
export class NetworkPolicy implements AuthorizationPolicy {
  readonly name: string = NetworkTargets.POLICY_NAME;
  private readonly targets: NetworkTargets;
  private readonly claims: ResourceClaims;

  constructor(targets: NetworkTargets, options: ResourcePolicyOptions = {}) {
    this.targets = targets;
    this.claims = new ResourceClaims(options);
  }

  async authorize(request: AuthorizationRequest): Promise<AuthorizationResult> {
    const early: AuthorizationResult | undefined = this.claims.answer(request, request.hosts);
    if (early !== undefined) {
      return early;
    }
    const count: number = request.hosts.length;
    for (let i: number = 0; i < count; i++) {
      const checked: Result<NetworkTarget, UrlFault> = await this.targets.checkHost(request.hosts[i]);
      if (!checked.ok) {
        const which: string = count === 1 ? 'the URL' : `URL ${i + 1} of ${count}`;
        return AuthorizationResult.reject(`${which} ${urlSentence(checked.error)}`);
      }
    }
    return AuthorizationResult.allow();
  }
}
