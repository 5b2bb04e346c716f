import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';

/** Where a large tool result is kept instead of in the conversation. */
export interface ArtifactRef {
  /** Opaque id, unique in the store. */
  id: string;
  /** UTF-16 code units of the text. */
  chars: number;
  /** Lower-case hexadecimal SHA-256 of the UTF-8 text. */
  sha256: string;
}

/** Store for texts that are too large for the history. Contract: durable when `put` resolves; ids are never reused. */
export interface ArtifactStore {
  put(sessionId: string, text: string): Promise<Result<ArtifactRef, ArkAgentError>>;
  /** @param offset UTF-16 code units from the start @param limit code units at most */
  read(sessionId: string, id: string, offset: number, limit: number): Promise<Result<string, ArkAgentError>>;
}
