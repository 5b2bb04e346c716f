import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStateStorage } from '../../host/src/storage/openFileStateStorage';
import { bundle } from './bundle';

const ROUNDS = 40;
/** On a busy machine fewer rounds have to do, but some must. */
const LIMIT_MS = 17_000;
const FEWEST_ROUNDS = 8;
/** Acknowledged commits after which a child is killed; the write that follows is cut somewhere by the signal. */
const MOST_COMMITS = 15;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arkagent-kill-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Acknowledged {
  readonly revision: number;
  readonly commitId: string;
}

function lines(text: string): Acknowledged[] {
  return text.split('\n').slice(0, -1).map((line) => ({ revision: Number(line.split(' ')[0]), commitId: line.split(' ')[1] }));
}

/** Runs a child; it is killed after so many acknowledged commits and so many further microseconds of spinning, if given. */
function run(script: string, args: string[], killAfter?: { commits: number; spinUs: number }): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (killAfter !== undefined && lines(output).length >= killAfter.commits && !child.killed) {
        const until = performance.now() + killAfter.spinUs / 1000;
        while (performance.now() < until);
        child.kill('SIGKILL');
      }
    });
    child.on('error', reject).on('close', (code, signal) => {
      if (killAfter === undefined ? code === 0 : signal === 'SIGKILL') resolve(lines(output));
      else reject(new Error(`the child ended with ${code ?? signal}`));
    });
  });
}

describe('kill -9', () => {
  it(`STA-03 every commit that resolved is there after up to ${ROUNDS} kills at random instants, and load never fails`, async () => {
    const script = await bundle('committer', folder);
    const directory = join(folder, 'killed');
    const started = performance.now();
    let revision = 0;
    for (let round = 0; round < ROUNDS && (round < FEWEST_ROUNDS || performance.now() - started < LIMIT_MS); round++) {
      const acknowledged = await run(script, [directory, '烘焙-1'], { commits: 1 + Math.floor(Math.random() * MOST_COMMITS), spinUs: Math.random() * 1500 });
      const last = acknowledged[acknowledged.length - 1];
      const storage = openFileStateStorage(directory);
      const loaded = await storage.load('烘焙-1');
      await storage.close();
      expect(loaded.ok, `round ${round}: ${loaded.ok ? '' : loaded.error.message}`).toBe(true);
      expect(loaded.value?.revision, `round ${round}`).toBeGreaterThanOrEqual(last.revision);
      expect(loaded.value?.revision, `round ${round}: at most one unacknowledged commit`).toBeLessThanOrEqual(last.revision + 1);
      if (loaded.value?.revision === last.revision) expect(loaded.value.commitId).toBe(last.commitId);
      expect(loaded.value?.history.length).toBe((loaded.value?.revision ?? 0) * 2);
      expect(acknowledged[0].revision).toBe(revision + 1);
      revision = loaded.value?.revision ?? 0;
    }
    expect(readdirSync(directory).filter((name) => name.includes('.tmp-'))).toEqual([]);
  }, 60_000);

  it('STA-03 processes that write one session at once never lose or overwrite a commit', async () => {
    const script = await bundle('racer', folder);
    const directory = join(folder, 'raced');
    const [racers, each] = [3, 40];
    const all = (await Promise.all(Array.from({ length: racers }, () => run(script, [directory, 's', String(each)])))).flat();
    const loaded = (await openFileStateStorage(directory).load('s')).value;
    expect(all.map((one) => one.revision).sort((a, b) => a - b)).toEqual(Array.from({ length: racers * each }, (_, at) => at + 1));
    expect(loaded?.revision).toBe(racers * each);
    expect(loaded?.history.length).toBe(racers * each * 2);
    expect(all.find((one) => one.revision === loaded?.revision)?.commitId).toBe(loaded?.commitId);
  }, 60_000);
});
