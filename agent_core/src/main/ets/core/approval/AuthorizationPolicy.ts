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

  private constructor(action: AuthorizationAction, reason: string) {
    this.action = action;
    this.reason = reason;
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
