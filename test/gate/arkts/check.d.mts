export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
}
export function checkSources(roots: string[], options?: { virtual?: Map<string, string>; apiLevel?: number }): { findings: Finding[]; files: string[] };
export function asEts(path: string): string;
export function format(finding: Finding): string;
