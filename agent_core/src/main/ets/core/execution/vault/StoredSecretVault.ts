import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { Digest } from '../../port/Digest';
import { SecretStore } from '../../port/SecretStore';
import { cutAtCodePoint } from '../filter/ResultFilter';
import { SecretVault } from './SecretVault';

/** UTF-16 code units of one entry: at most three bytes each, and a store takes 1,024. */
const PART_CHARS: number = 300;
const MAX_PARTS: number = 64;

/**
 * A vault in the app's secret store (on the device the system's asset store), so that a call with a secret survives a kill.
 * Names are digests: they say nothing about the session and fit every store. A long secret takes several entries, the first one
 * written last.
 */
export class StoredSecretVault implements SecretVault {
  private readonly store: SecretStore;
  private readonly digest: Digest;

  constructor(store: SecretStore, digest: Digest) {
    this.store = store;
    this.digest = digest;
  }

  async put(sessionId: string, reference: string, secret: string): Promise<Result<boolean, ArkAgentError>> {
    const name: string = this.nameOf(sessionId, reference);
    const parts: ReadonlyArray<string> = split(secret);
    if (parts.length > MAX_PARTS) {
      return Result.failure<boolean, ArkAgentError>(ArkAgentError.of(ErrorCode.toolArgumentSecret,
        `a secret of ${secret.length} characters is too long to be kept`));
    }
    for (let at: number = parts.length - 1; at >= 0; at--) {
      const text: string = at === 0 ? `${parts.length}\n${parts[at]}` : parts[at];
      const written: Result<boolean, ArkAgentError> = await this.store.write(partName(name, at), text);
      if (!written.ok) {
        return written;
      }
    }
    return Result.success<boolean, ArkAgentError>(true);
  }

  async resolve(sessionId: string, reference: string): Promise<Result<string | undefined, ArkAgentError>> {
    const name: string = this.nameOf(sessionId, reference);
    const head: Result<string | undefined, ArkAgentError> = await this.store.read(partName(name, 0));
    if (!head.ok || head.value === undefined) {
      return head;
    }
    const line: number = head.value.indexOf('\n');
    const count: number = Number(head.value.substring(0, line));
    let secret: string = head.value.substring(line + 1);
    for (let at: number = 1; at < count; at++) {
      const part: Result<string | undefined, ArkAgentError> = await this.store.read(partName(name, at));
      if (!part.ok || part.value === undefined) {
        return part;
      }
      secret += part.value;
    }
    return Result.success<string | undefined, ArkAgentError>(secret);
  }

  async remove(sessionId: string, reference: string): Promise<Result<boolean, ArkAgentError>> {
    const name: string = this.nameOf(sessionId, reference);
    for (let at: number = 0; at < MAX_PARTS; at++) {
      const removed: Result<boolean, ArkAgentError> = await this.store.remove(partName(name, at));
      if (!removed.ok) {
        return removed;
      }
      if (!removed.value) {
        return Result.success<boolean, ArkAgentError>(at > 0);
      }
    }
    return Result.success<boolean, ArkAgentError>(true);
  }

  private nameOf(sessionId: string, reference: string): string {
    return `call-${this.digest.sha256Hex(`${sessionId}\n${reference}`)}`;
  }
}

function partName(name: string, at: number): string {
  return at === 0 ? name : `${name}-${at}`;
}

function split(secret: string): ReadonlyArray<string> {
  const parts: string[] = [];
  let rest: string = secret;
  while (rest !== '') {
    const part: string = cutAtCodePoint(rest, PART_CHARS);
    parts.push(part);
    rest = rest.substring(part.length);
  }
  return parts;
}
