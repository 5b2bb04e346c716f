const MASK: string = '***';

/** Shapes of keys that providers and gateways hand out; at least sixteen characters, so that words and masked keys stay readable. */
const KEY_SHAPES: ReadonlyArray<RegExp> = [
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx|csk|fw|tgp|key|api)[-_][A-Za-z0-9_-]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bAKIA[A-Z0-9]{12,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b[0-9a-f]{32,}(?:\.[A-Za-z0-9]{8,})?\b/g
];
const BEARER: RegExp = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{16,}/gi;

/**
 * Takes secrets out of texts that come from a provider before they become messages of errors.
 *
 * Providers like to repeat the key they refuse. Known secrets of the request go first, whole, then everything that looks like a key.
 */
export class SecretMask {
  private readonly secrets: string[] = [];

  /** Adds a secret of this request; texts shorter than four characters are no secrets. */
  add(secret: string): void {
    if (secret.length >= 4) {
      this.secrets.push(secret);
    }
  }

  apply(text: string): string {
    let masked: string = text;
    for (const secret of this.secrets) {
      if (masked.includes(secret)) {
        masked = masked.split(secret).join(MASK);
      }
    }
    masked = masked.replace(BEARER, `$1 ${MASK}`);
    for (const shape of KEY_SHAPES) {
      masked = masked.replace(shape, MASK);
    }
    return masked;
  }

  /** Masked, then cut to `maxChars` without cutting a surrogate pair. */
  shorten(text: string, maxChars: number): string {
    const masked: string = this.apply(text);
    if (masked.length <= maxChars) {
      return masked;
    }
    const last: number = masked.charCodeAt(maxChars - 1);
    return masked.substring(0, last >= 0xD800 && last <= 0xDBFF ? maxChars - 1 : maxChars) + '…';
  }
}
