import { JsonObject } from '../json/JsonObject';
import { ToolCall } from '../message/ToolCall';
import { ToolDefinition } from '../model/ToolDefinition';
import { ToolEffect } from '../tool/ToolContract';

export enum AuthorizationAction {
  allow = 'allow',
  reject = 'reject',
  requireConfirmation = 'require_confirmation'
}

/** What an authorization policy answers. Immutable. */
export class AuthorizationResult {
  readonly action: AuthorizationAction;
  /** Readable, without full paths or argument values; empty for allow. */
  readonly reason: string;
  /** The policy that said it, where several answer as one; empty: the one that was asked. */
  readonly by: string;

  private constructor(action: AuthorizationAction, reason: string, by: string = '') {
    this.action = action;
    this.reason = reason;
    this.by = by;
  }

  /** The same answer in the name of a policy. */
  saidBy(name: string): AuthorizationResult {
    return new AuthorizationResult(this.action, this.reason, name);
  }

  static allow(): AuthorizationResult {
    return new AuthorizationResult(AuthorizationAction.allow, '');
  }

  static reject(reason: string): AuthorizationResult {
    return new AuthorizationResult(AuthorizationAction.reject, reason);
  }

  static requireConfirmation(reason: string): AuthorizationResult {
    return new AuthorizationResult(AuthorizationAction.requireConfirmation, reason);
  }
}

/** All that an authorization decision may look at. */
export interface AuthorizationRequest {
  sessionId: string;
  call: ToolCall;
  definition: ToolDefinition;
  effect: ToolEffect;
  /** Sealed. */
  args: JsonObject;
  /** What the tool's `resources` named for these arguments. */
  paths: ReadonlyArray<string>;
  hosts: ReadonlyArray<string>;
  /** Whether the tool declares `resources` at all; absent counts as not. */
  declaresResources?: boolean;
}

/**
 * May this call touch these resources now? Comes before the approval policy.
 *
 * Contract: fails closed: a throw, a time-out or an answer that is none counts as reject. Asked again at the claim.
 */
export interface AuthorizationPolicy {
  /** For the audit record. */
  readonly name: string;
  authorize(request: AuthorizationRequest): Promise<AuthorizationResult>;
}
