import { FileStateStorage, type FileStateStorageOptions } from 'agent_core';
import { NodeDigest } from '../ports/NodeDigest';
import { NodeScheduler } from '../ports/NodeScheduler';
import { NodeFileSystem } from './NodeFileSystem';
import { ProcessClaimOwner } from './ProcessClaimOwner';

/** Sessions as files in a directory, which is made with the first commit. Several processes may share it. */
export function openFileStateStorage(directory: string, options: Partial<FileStateStorageOptions> = {}): FileStateStorage {
  return new FileStateStorage(new NodeFileSystem(), new NodeDigest(), directory, {
    owner: new ProcessClaimOwner(), scheduler: new NodeScheduler(), ...options,
  });
}
