/** SHA-256. Contract: synchronous, never throws, the same text gives the same digest on every platform. */
export interface Digest {
  /** Lower-case hexadecimal SHA-256 of the UTF-8 bytes of the text (64 characters). */
  sha256Hex(text: string): string;
}
