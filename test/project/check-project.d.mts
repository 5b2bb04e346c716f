import type { ProjectFiles } from './project.mjs';

export interface ProjectFinding {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}
export function checkProject(project: ProjectFiles): ProjectFinding[];
export function runProjectCheck(write?: (line: string) => void): number;
