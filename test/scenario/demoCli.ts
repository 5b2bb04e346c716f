import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../host/build.mjs', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line built from the sources of this moment, in a folder of its own, and folders to run it in. */
export class DemoCli {
  readonly root = mkdtempSync(join(tmpdir(), 'arkagent-cli-'));
  readonly program = join(this.root, 'dist', 'cli.mjs');
  private counter = 0;

  constructor() {
    execFileSync(process.execPath, [build, '--out', join(this.root, 'dist')]);
  }

  folder(): string {
    this.counter += 1;
    return join(this.root, `demo-${this.counter}`);
  }

  run(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [this.program, ...args], { env: { ...process.env, LANG: 'C', LC_ALL: '', ...env } }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code as number | undefined) ?? null, stdout, stderr });
      });
      child.stdin!.on('error', () => {});
      child.stdin!.end(input);
    });
  }

  start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], { stdio: 'pipe', env: { ...process.env, LANG: 'C', LC_ALL: '' } });
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The JSON lines of an output. */
export function jsonLines(text: string): { type: string; [member: string]: unknown }[] {
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as { type: string });
}
