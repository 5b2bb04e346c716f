import { SecretMatch } from './SecretMatch';

/**
 * An app's own idea of a secret.
 *
 * Contract: pure, must not throw; time linear in the length of the text, because a tool may answer a megabyte that somebody
 * made up to be slow. A match is not empty, and a placeholder (`[secret:…]`) is none.
 */
export interface SecretRule {
  /** 1 to 40 lower-case letters, digits or `-`. */
  readonly kind: string;
  /** The first match that starts at or after `from`. */
  find(text: string, from: number): SecretMatch | undefined;
}

/** Looks twice at what a pattern found. */
export type SecretCheck = (found: string) => boolean;

/**
 * A rule made from a pattern. Every quantifier of the pattern needs an upper bound (`{20,200}`, not `+`): only then is its time
 * linear. A match counts where no letter, digit or `_` touches it.
 */
export class PatternSecretRule implements SecretRule {
  readonly kind: string;
  private readonly pattern: RegExp;
  private readonly check: SecretCheck;

  /** @param check refuses what only looks like the secret; default: everything counts */
  constructor(kind: string, pattern: string, check: SecretCheck = (found: string): boolean => true) {
    this.kind = kind;
    this.pattern = new RegExp(pattern, 'g');
    this.check = check;
  }

  find(text: string, from: number): SecretMatch | undefined {
    this.pattern.lastIndex = from;
    let found: RegExpExecArray | null = this.pattern.exec(text);
    while (found !== null) {
      const end: number = found.index + found[0].length;
      if (found[0] !== '' && standsAlone(text, found.index, end) && this.check(found[0])) {
        return new SecretMatch(found.index, end, this.kind);
      }
      this.pattern.lastIndex = found.index + 1;
      found = this.pattern.exec(text);
    }
    return undefined;
  }
}

const WORD: RegExp = new RegExp('^[A-Za-z0-9_]$');

function standsAlone(text: string, start: number, end: number): boolean {
  const before: boolean = start > 0 && WORD.test(text.charAt(start - 1)) && WORD.test(text.charAt(start));
  const after: boolean = end < text.length && WORD.test(text.charAt(end)) && WORD.test(text.charAt(end - 1));
  return !before && !after;
}
