import { constants } from 'node:fs';
import { open, opendir, type FileHandle } from 'node:fs/promises';
import { Result } from 'agent_core';
import type { FileHead, WorkspaceFiles } from './WorkspaceFiles';

/** Not on Windows, where the flags do not exist and links need a right of their own. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** A pipe must not hold the process until somebody writes into it. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Files through node:fs, opened without following links. */
export class NodeWorkspaceFiles implements WorkspaceFiles {
  readHead(realPath: string, limit: number): Promise<Result<FileHead, string>> {
    return attempt(async () => {
      const handle = await open(realPath, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
      try {
        const stats = await handle.stat();
        if (!stats.isFile()) return Result.failure<FileHead, string>('it is no plain file');
        const bytes = await fill(handle, Math.min(limit, stats.size));
        return Result.success<FileHead, string>({ bytes, size: stats.size });
      } finally {
        await handle.close();
      }
    });
  }

  writeNew(realPath: string, text: string): Promise<Result<boolean, string>> {
    return attempt(async () => {
      const handle = await open(realPath, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o644);
      try {
        await handle.writeFile(text, 'utf8');
        await handle.sync();
      } finally {
        await handle.close();
      }
      return Result.success<boolean, string>(true);
    });
  }

  list(realPath: string, limit: number): Promise<Result<readonly string[], string>> {
    return attempt(async () => {
      const names: string[] = [];
      for await (const entry of await opendir(realPath)) {
        if (names.length >= limit) break;
        names.push(entry.name);
      }
      return Result.success<readonly string[], string>(names.sort());
    });
  }
}

async function fill(handle: FileHandle, wanted: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(wanted);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await handle.read(bytes, filled, wanted - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function attempt<T>(action: () => Promise<Result<T, string>>): Promise<Result<T, string>> {
  try {
    return await action();
  } catch (thrown) {
    return Result.failure<T, string>(`the system says ${(thrown as NodeJS.ErrnoException).code ?? 'unknown fault'}`);
  }
}
