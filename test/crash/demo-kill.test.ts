import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoCli } from '../scenario/demoCli';
import { killDemo } from './demo-kill.mjs';

/** 25 in `npm test`; `node test/crash/demo-kill.mjs` kills 200 times and more. */
const KILLS = Number(process.env['ARKAGENT_DEMO_KILLS'] ?? 25);

let cli: DemoCli;
beforeAll(() => {
  cli = new DemoCli();
});
afterAll(() => cli.dispose());

describe('the demonstration under kill -9', () => {
  it('STA-05 APP-08 loses no decision and repeats no effect, wherever it is killed', async () => {
    const result = await killDemo({ kills: KILLS, seed: Date.now() % 100_000, cli: cli.program, write: (line) => process.stdout.write(`${line}\n`) });
    expect(result.problems).toEqual([]);
    expect(result.kills).toBe(KILLS);
  }, 300_000);

  it.each([
    ['an effect that runs twice', "log(2); unlink('brioche'); unlink('a'); unlink('b');", /effects for one question|ran twice/],
    ['an effect that never runs', '', /0 effects, 3 files left/],
    ['a lost decision', "if (existsSync(dir + '/asked')) { say({ type: 'question', approvalId: 'q' }); } else { writeFileSync(dir + '/asked', ''); process.kill(process.pid, 'SIGKILL'); }", /decision was lost/],
  ])('notices %s', async (_name, fault, complaint) => {
    const fake = join(cli.root, 'fake.mjs');
    writeFileSync(fake, `
      import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
      const dir = process.argv[process.argv.indexOf('--dir') + 1];
      const calm = dir.endsWith('calm');
      const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
      const log = (n) => { for (let i = 0; i < n; i++) appendFileSync(dir + '/effects.log', 'key' + '\\n'); };
      const unlink = (name) => rmSync(dir + '/cache/' + name, { force: true });
      mkdirSync(dir + '/cache', { recursive: true });
      if (!existsSync(dir + '/asked')) for (const name of ['a', 'b', 'brioche']) writeFileSync(dir + '/cache/' + name, '');
      say({ type: 'question', approvalId: 'q' });
      process.stdin.once('data', () => {
        say({ type: 'decision', approvalId: 'q', decision: 'approved' });
        if (!calm) { ${fault} }
        say({ type: 'end' });
        process.exit(0);
      });
    `);
    const result = await killDemo({ kills: 3, seed: 4, cli: fake });
    expect(result.problems.join('\n')).toMatch(complaint);
  }, 60_000);
});
