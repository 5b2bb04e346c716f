import { AuthorizationPolicy, AuthorizationRequest, AuthorizationResult } from '../../approval/AuthorizationPolicy';
import { Result } from '../../base/Result';
import { ToolEffect } from '../../tool/ToolContract';
import { PathFault, pathSentence } from './PathFault';
import { ResourceClaims, ResourcePolicyOptions } from './UndeclaredResources';
import { PathAccess, ResolvedPath, WorkspacePaths } from './WorkspacePaths';

/**
 * Lets a call through when every path that its tool names lies in the workspace, really and not only by its text. A tool with the
 * effect none reads; any other writes, and then all its paths must lie in writable roots.
 *
 * The policy answers for the moment of the question. The executor has to open what `WorkspacePaths.resolve` gives it.
 */
export class WorkspacePathPolicy implements AuthorizationPolicy {
  readonly name: string = WorkspacePaths.POLICY_NAME;
  private readonly paths: WorkspacePaths;
  private readonly claims: ResourceClaims;

  constructor(paths: WorkspacePaths, options: ResourcePolicyOptions = {}) {
    this.paths = paths;
    this.claims = new ResourceClaims(options);
  }

  async authorize(request: AuthorizationRequest): Promise<AuthorizationResult> {
    const early: AuthorizationResult | undefined = this.claims.answer(request, request.paths);
    if (early !== undefined) {
      return early;
    }
    const access: PathAccess = request.effect === ToolEffect.none ? PathAccess.read : PathAccess.write;
    const count: number = request.paths.length;
    for (let i: number = 0; i < count; i++) {
      const checked: Result<ResolvedPath, PathFault> = await this.paths.check(request.paths[i], access);
      if (!checked.ok) {
        const which: string = count === 1 ? 'the path' : `path ${i + 1} of ${count}`;
        return AuthorizationResult.reject(`${which} ${pathSentence(checked.error)}`);
      }
    }
    return AuthorizationResult.allow();
  }
}
