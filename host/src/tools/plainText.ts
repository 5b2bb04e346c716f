/**
 * Bytes as text, when they are text.
 *
 * @param cut more bytes follow: half a character at the end is left out
 * @param charset a name that the platform knows; default utf-8
 * @returns undefined for anything else: a zero byte, or bytes that the charset does not have
 */
export function plainText(bytes: Uint8Array, cut: boolean, charset = 'utf-8'): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}
