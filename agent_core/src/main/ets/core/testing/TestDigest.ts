import { Digest } from '../port/Digest';

/** Four rounds of FNV-1a with different seeds: as long as a SHA-256 and deterministic, but for tests only, never for security. */
export class TestDigest implements Digest {
  sha256Hex(text: string): string {
    let hex: string = '';
    for (let round: number = 0; round < 8; round++) {
      hex += TestDigest.round(text, round);
    }
    return hex;
  }

  private static round(text: string, seed: number): string {
    let hash: number = 0x811c9dc5 ^ (seed * 0x9e3779b1);
    for (let i: number = 0; i < text.length; i++) {
      hash ^= text.charCodeAt(i);
      hash = Math.imul(hash, 0x01000193);
    }
    return (hash >>> 0).toString(16).padStart(8, '0');
  }
}
