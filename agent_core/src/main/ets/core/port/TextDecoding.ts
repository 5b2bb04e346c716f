/** Bytes to text across chunk borders. */
export interface IncrementalTextDecoder {
  /**
   * The text that is complete so far; incomplete sequences are kept for the next call.
   * @param last true with the final bytes: what is still incomplete becomes U+FFFD
   */
  decode(bytes: Uint8Array, last: boolean): string;
}

/** Incremental UTF-8 (WHATWG Encoding): ill-formed sequences become U+FFFD, one leading byte order mark is dropped. */
export interface TextDecoding {
  createDecoder(): IncrementalTextDecoder;
}
