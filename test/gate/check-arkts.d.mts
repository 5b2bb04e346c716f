export interface GateProject {
  readonly shared: string[];
  readonly ets: string[];
  readonly roots: string[];
}
export function projectRoots(): GateProject;
export function runGate(options?: { write?: (line: string) => void; project?: GateProject; virtual?: Map<string, string> }): number;
