import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ArtifactPiece, ArtifactRef, ArtifactStore } from '../../port/ArtifactStore';
import { Digest } from '../../port/Digest';

/** Keeps artifacts as long as the process lives: for tests, and for sessions that live no longer either. */
export class InMemoryArtifactStore implements ArtifactStore {
  private readonly digest: Digest;
  private readonly texts: Map<string, Map<string, string>> = new Map<string, Map<string, string>>();
  private count: number = 0;

  constructor(digest: Digest) {
    this.digest = digest;
  }

  async put(sessionId: string, text: string): Promise<Result<ArtifactRef, ArkAgentError>> {
    this.count++;
    const ref: ArtifactRef = { id: `a${this.count}`, chars: text.length, sha256: this.digest.sha256Hex(text) };
    const known: Map<string, string> = this.texts.get(sessionId) ?? new Map<string, string>();
    known.set(ref.id, text);
    this.texts.set(sessionId, known);
    return Result.success<ArtifactRef, ArkAgentError>(ref);
  }

  async read(sessionId: string, id: string, offset: number, limit: number): Promise<Result<ArtifactPiece, ArkAgentError>> {
    const text: string | undefined = this.texts.get(sessionId)?.get(id);
    if (text === undefined) {
      return Result.failure<ArtifactPiece, ArkAgentError>(ArkAgentError.of(ErrorCode.artifactNotFound, 'no such artifact'));
    }
    const piece: ArtifactPiece = { text: text.substring(offset, offset + limit), total: text.length };
    return Result.success<ArtifactPiece, ArkAgentError>(piece);
  }

  async removeSession(sessionId: string): Promise<Result<number, ArkAgentError>> {
    const count: number = this.texts.get(sessionId)?.size ?? 0;
    this.texts.delete(sessionId);
    return Result.success<number, ArkAgentError>(count);
  }
}
