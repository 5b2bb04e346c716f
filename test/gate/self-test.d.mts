export interface SelfTestRow {
  readonly name: string;
  readonly expected: string;
  readonly found: string[];
  readonly ok: boolean;
}
export function runSelfTest(): SelfTestRow[];
