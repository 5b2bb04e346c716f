import type { Result } from 'agent_core';

/** The beginning of a file. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

/**
 * What the workspace tools need of a file system. Paths are those that `WorkspacePaths.resolve` gave.
 *
 * Contract: failure is a Result whose error is a short reason without a path; never rejects. A link is not followed, and what
 * is no plain file is not opened.
 */
export interface WorkspaceFiles {
  /** At most the first `limit` bytes. */
  readHead(realPath: string, limit: number): Promise<Result<FileHead, string>>;
  /** Fails when something is there. */
  writeNew(realPath: string, text: string): Promise<Result<boolean, string>>;
  /** Names in a folder, sorted; at most `limit` of them. */
  list(realPath: string, limit: number): Promise<Result<readonly string[], string>>;
}
