import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';

/** Where a large tool result is kept instead of in the conversation. */
export interface ArtifactRef {
  /** 1 to 64 letters, digits, `-` and `_`; unique in the session. */
  id: string;
  /** UTF-16 code units of the text. */
  chars: number;
  /** Lower-case hexadecimal SHA-256 of the UTF-8 text. */
  sha256: string;
}

/** A piece of an artifact. */
export interface ArtifactPiece {
  text: string;
  /** UTF-16 code units of the whole text. */
  total: number;
}

/**
 * Store for texts that are too large for the history. They were redacted before they come here.
 *
 * Contract: durable when `put` resolves; ids are never reused; what is read back is what was put, to the character. A store may
 * drop the oldest texts of a session to stay within its bounds. Failure: artifact_not_found, artifact_store_failed.
 */
export interface ArtifactStore {
  put(sessionId: string, text: string): Promise<Result<ArtifactRef, ArkAgentError>>;
  /** @param offset UTF-16 code units from the start @param limit code units at most */
  read(sessionId: string, id: string, offset: number, limit: number): Promise<Result<ArtifactPiece, ArkAgentError>>;
  /** Removes what was kept for a session; @returns how many texts. */
  removeSession(sessionId: string): Promise<Result<number, ArkAgentError>>;
}
