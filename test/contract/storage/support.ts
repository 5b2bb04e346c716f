import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStateStorage } from '@core/state/file/FileStateStorage';
import { InMemoryStateStorage } from '@core/state/InMemoryStateStorage';
import type { FileStorageFactory, StorageFactory } from '@core/testing/storage/StorageCase';
import { MemoryFileSystem } from '@core/testing/storage/MemoryFileSystem';
import { TestOwner } from '@core/testing/storage/TestOwner';
import { NodeDigest } from '../../../host/src/ports/NodeDigest';
import { NodeScheduler } from '../../../host/src/ports/NodeScheduler';
import { openFileStateStorage } from '../../../host/src/storage/openFileStateStorage';

const digest = new NodeDigest();
const scheduler = new NodeScheduler();

export const memoryStorage: StorageFactory = {
  async create() {
    const only = new InMemoryStateStorage();
    return { open: () => only, dispose: () => only.close() };
  },
};

/** The file storage on a disk in memory; the small log bound makes ordinary cases pass through compaction. */
export function storageOnMemoryDisk(minLogBytes: number): StorageFactory {
  return {
    async create() {
      const disk = new MemoryFileSystem();
      let opened = 0;
      return {
        open: () => new FileStateStorage(disk, digest, '/state', { owner: new TestOwner(`p${opened++}`, []), scheduler, minLogBytes }),
        dispose: async () => undefined,
      };
    },
  };
}

export function storageOnDisk(minLogBytes: number, sync: boolean): StorageFactory {
  return {
    async create() {
      const directory = mkdtempSync(join(tmpdir(), 'arkagent-storage-'));
      return {
        open: () => openFileStateStorage(join(directory, 'state'), { minLogBytes, sync }),
        dispose: async () => rmSync(directory, { recursive: true }),
      };
    },
  };
}

export const onGivenDisk: FileStorageFactory = {
  open: (fs, directory, owner, minLogBytes) => new FileStateStorage(fs, digest, directory, { owner, scheduler, minLogBytes, claimPatienceMs: 0 }),
};
