import { createHash } from 'node:crypto';
import type { Digest } from 'agent_core';

/** SHA-256 of node:crypto. */
export class NodeDigest implements Digest {
  sha256Hex(text: string): string {
    return createHash('sha256').update(text, 'utf8').digest('hex');
  }
}
