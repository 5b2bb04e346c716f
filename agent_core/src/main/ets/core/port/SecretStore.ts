import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';

/**
 * Keeps API keys outside of settings, state and logs.
 *
 * Contract: a missing secret is a value, not an error; failures are `secret_store_failed` (layer security) and their
 * messages hold neither the secret nor a part of it.
 */
export interface SecretStore {
  /** Undefined when there is none under the name. */
  read(name: string): Promise<Result<string | undefined, ArkAgentError>>;
  /** Adds or replaces. @param secret 1 to 1024 UTF-8 bytes */
  write(name: string, secret: string): Promise<Result<boolean, ArkAgentError>>;
  /** True when there was one. */
  remove(name: string): Promise<Result<boolean, ArkAgentError>>;
}
