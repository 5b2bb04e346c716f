import { ClaimOwner, FileSystem } from '../../port/FileSystem';
import { StateStorage } from '../../state/StateStorage';

/** One place where sessions lie, and the storages that share it. */
export interface StorageWorld {
  /** Another storage over the same place, as another process would open it. A memory storage gives itself. */
  open(): StateStorage;
  dispose(): Promise<void>;
}

/** Makes places for the cases of every adapter. */
export interface StorageFactory {
  create(): Promise<StorageWorld>;
}

/**
 * One promise of the storage contract, as data: test runners of both platforms loop over the lists.
 * `run` throws an Error that says what was expected.
 */
export interface StorageCase {
  readonly name: string;
  run(factory: StorageFactory): Promise<void>;
}

/** Makes file storages over the disks of a case. */
export interface FileStorageFactory {
  /** @param owner tells claims apart; a dead process is an owner that the next one calls dead */
  open(fs: FileSystem, directory: string, owner: ClaimOwner, minLogBytes: number): StateStorage;
}

/** As StorageCase, for what can be seen only with a hand on the disk. */
export interface FileStorageCase {
  readonly name: string;
  run(factory: FileStorageFactory): Promise<void>;
}
