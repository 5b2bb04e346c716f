export interface HypiumCase {
  readonly suite: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  readonly detail: string;
}
export interface HypiumRun {
  readonly list: string;
  readonly cases: HypiumCase[];
  readonly problems: string[];
}
export function runList(list: string, options?: { watchdogMs?: number }): Promise<HypiumRun>;
export function runHypium(write?: (line: string) => void): Promise<{ passed: number; failed: number }>;
