export const repositoryRoot: string;
export class ProjectFiles {
  readonly files: Map<string, string>;
  readonly tracked: string[];
  constructor(files: Map<string, string>, tracked: string[]);
  static read(root?: string): ProjectFiles;
  with(changes: Record<string, string | null>, tracked?: string[]): ProjectFiles;
  has(path: string): boolean;
  text(path: string): string | undefined;
  json(path: string): unknown;
  paths(pattern: RegExp): string[];
}
