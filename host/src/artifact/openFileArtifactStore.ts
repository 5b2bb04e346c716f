import { FileArtifactStore, type ArtifactBounds } from 'agent_core';
import { NodeDigest } from '../ports/NodeDigest';
import { NodeFileSystem } from '../storage/NodeFileSystem';

/** Large results as files below a directory, which is made with the first one. */
export function openFileArtifactStore(directory: string, bounds: ArtifactBounds = {}): FileArtifactStore {
  return new FileArtifactStore(new NodeFileSystem(), new NodeDigest(), directory, bounds);
}
