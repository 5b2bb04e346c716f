import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';

/**
 * Keeps the secrets of calls that wait, outside of the session's files (DEC-37).
 *
 * A reference is `<batchId>:<position>:<kind>:<number>`: it names a secret of one call, and only that call is given it back.
 *
 * Contract: what is put is there, for this and for a later process of the same app, when `put` resolves, unless the vault says
 * that it lives in memory; a lost secret is a value, not an error; failures are Results whose messages hold no part of a secret.
 */
export interface SecretVault {
  /** Adds or replaces. */
  put(sessionId: string, reference: string, secret: string): Promise<Result<boolean, ArkAgentError>>;
  /** Undefined when there is none under the reference. */
  resolve(sessionId: string, reference: string): Promise<Result<string | undefined, ArkAgentError>>;
  /** True when there was one. */
  remove(sessionId: string, reference: string): Promise<Result<boolean, ArkAgentError>>;
}
