/** A stretch of a text that must not be handed on. Immutable. */
export class SecretMatch {
  /** First UTF-16 code unit. */
  readonly start: number;
  /** Behind the last one. */
  readonly end: number;
  /** Lower-case letters, digits and `-`; becomes part of the placeholder. */
  readonly kind: string;

  constructor(start: number, end: number, kind: string) {
    this.start = start;
    this.end = end;
    this.kind = kind;
  }
}

/** What a pass over a text has found so far. */
export class SecretScan {
  readonly text: string;
  /** False while more of the text may come: what touches its end is undecided then. */
  readonly final: boolean;
  matches: SecretMatch[] = [];
  /** From here on nothing is decided yet; the length of the text when all of it is. */
  openFrom: number;
  private bareStart: number = 0;
  private bareStop: number = -1;

  constructor(text: string, final: boolean) {
    this.text = text;
    this.final = final;
    this.openFrom = text.length;
  }

  add(start: number, end: number, kind: string): void {
    this.matches.push(new SecretMatch(start, end, kind));
  }

  /** Whether a stretch that ends here may still grow. */
  growing(end: number): boolean {
    return !this.final && end >= this.text.length;
  }

  /** The known end of a value without quotes that this place lies in; -1 when none is known. Keeps nested names linear. */
  knownBareEnd(at: number): number {
    return at >= this.bareStart && at <= this.bareStop ? this.bareStop : -1;
  }

  rememberBare(start: number, end: number): void {
    this.bareStart = start;
    this.bareStop = end;
  }

  /** Brings the matches into order and joins those that overlap. */
  settle(): void {
    if (this.matches.length < 2) {
      return;
    }
    this.matches.sort((a: SecretMatch, b: SecretMatch) => a.start - b.start || b.end - a.end);
    const kept: SecretMatch[] = [];
    for (const match of this.matches) {
      const last: SecretMatch | undefined = kept[kept.length - 1];
      if (last === undefined || match.start >= last.end) {
        kept.push(match);
      } else if (match.end > last.end) {
        kept[kept.length - 1] = new SecretMatch(last.start, match.end, last.kind);
      }
    }
    this.matches = kept;
  }

  hold(from: number): void {
    if (from < this.openFrom) {
      this.openFrom = from;
    }
  }
}
