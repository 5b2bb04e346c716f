import { AuthorizationRequest, AuthorizationResult } from '../../approval/AuthorizationPolicy';

/** What a resource policy does with a tool whose contract has no `resources`: nobody can say what such a call touches. */
export enum UndeclaredResources {
  /** The tool is trusted to touch nothing that the policy guards, or to go through its service. */
  allow = 'allow',
  /** A person decides. */
  ask = 'ask',
  reject = 'reject'
}

/** Optional settings that the resource policies share. */
export interface ResourcePolicyOptions {
  /** Default allow, since most tools touch neither files nor hosts; reject is the closed choice. */
  undeclared?: UndeclaredResources;
  /** Tools that are known to touch nothing, whatever `undeclared` says. */
  undeclaredExempt?: ReadonlyArray<string>;
}

/** The most resources one call may name. */
const MAX_RESOURCES: number = 256;

/** What resource policies have in common before they look at a single resource. */
export class ResourceClaims {
  private readonly undeclared: UndeclaredResources;
  private readonly exempt: ReadonlySet<string>;

  constructor(options: ResourcePolicyOptions) {
    this.undeclared = options.undeclared ?? UndeclaredResources.allow;
    this.exempt = new Set<string>(options.undeclaredExempt ?? []);
  }

  /** @returns undefined when the named resources have to be looked at one by one. */
  answer(request: AuthorizationRequest, named: ReadonlyArray<string>): AuthorizationResult | undefined {
    if (!Array.isArray(named)) {
      return AuthorizationResult.reject('the tool names its resources in a form that cannot be checked');
    }
    if (named.length > MAX_RESOURCES) {
      return AuthorizationResult.reject(`the call names more than ${MAX_RESOURCES} resources`);
    }
    if (named.length > 0) {
      return undefined;
    }
    if (request.declaresResources === true || this.exempt.has(request.definition.name)) {
      return AuthorizationResult.allow();
    }
    return this.forUndeclared();
  }

  private forUndeclared(): AuthorizationResult {
    const reason: string = 'the tool does not declare which files and hosts it uses';
    if (this.undeclared === UndeclaredResources.allow) {
      return AuthorizationResult.allow();
    }
    return this.undeclared === UndeclaredResources.ask
      ? AuthorizationResult.requireConfirmation(reason) : AuthorizationResult.reject(reason);
  }
}
