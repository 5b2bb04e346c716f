import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { SecretVault } from './SecretVault';

/** Lets calls with secrets run as long as the process lives; after a restart such a call answers tool_argument_secret. */
export class InMemorySecretVault implements SecretVault {
  private readonly secrets: Map<string, string> = new Map<string, string>();

  /** How many secrets are kept. */
  get size(): number {
    return this.secrets.size;
  }

  async put(sessionId: string, reference: string, secret: string): Promise<Result<boolean, ArkAgentError>> {
    this.secrets.set(keyOf(sessionId, reference), secret);
    return Result.success<boolean, ArkAgentError>(true);
  }

  async resolve(sessionId: string, reference: string): Promise<Result<string | undefined, ArkAgentError>> {
    return Result.success<string | undefined, ArkAgentError>(this.secrets.get(keyOf(sessionId, reference)));
  }

  async remove(sessionId: string, reference: string): Promise<Result<boolean, ArkAgentError>> {
    return Result.success<boolean, ArkAgentError>(this.secrets.delete(keyOf(sessionId, reference)));
  }
}

function keyOf(sessionId: string, reference: string): string {
  return `${sessionId}\n${reference}`;
}
