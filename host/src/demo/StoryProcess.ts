import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** One JSON line of a demo process. */
export interface StoryLine {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A demo in a process of its own, spoken to in JSON lines and really killed. */
export class StoryProcess {
  private static readonly PATIENCE_MS = 30_000;
  readonly lines: StoryLine[] = [];
  readonly exit: Promise<{ code: number | null; signal: string | null }>;
  private readonly child: ChildProcessWithoutNullStreams;
  private changed: () => void = () => {};
  private over = false;

  /** @param listener told every line as it comes */
  constructor(program: string, args: readonly string[], private readonly listener: (line: StoryLine) => void) {
    this.child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
    this.child.stdin.on('error', () => {
      // The process was killed before it read its line; its exit tells the story.
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.arrive(line));
    this.exit = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.over = true;
        resolve({ code, signal });
        this.changed();
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  say(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** SIGKILL: the process gets no chance to do anything. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** The first line of a type, or undefined when the process ended without one. */
  async until(type: string): Promise<StoryLine | undefined> {
    for (;;) {
      const found = this.lines.find((line) => line.type === type);
      if (found !== undefined || this.over) return found;
      await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.child.kill('SIGKILL');
        reject(new Error('a demo process said nothing for too long'));
      }, StoryProcess.PATIENCE_MS);
      this.changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private arrive(text: string): void {
    let line: StoryLine;
    try {
      line = JSON.parse(text) as StoryLine;
    } catch {
      return;
    }
    this.lines.push(line);
    this.listener(line);
    this.changed();
  }
}
