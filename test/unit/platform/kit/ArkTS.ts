import { randomUUID } from 'node:crypto';

class Encoder {
  static create(): Encoder {
    return new Encoder();
  }

  encodeInto(text: string): Uint8Array {
    return new TextEncoder().encode(text);
  }
}

class Decoder {
  static create(): Decoder {
    return new Decoder();
  }

  decodeToString(bytes: Uint8Array): string {
    return new TextDecoder().decode(bytes);
  }
}

export const util = { TextEncoder: Encoder, TextDecoder: Decoder, generateRandomUUID: (): string => randomUUID() };

export const process = { pid: 4711, getStartRealtime: (): number => 1234.5 };
