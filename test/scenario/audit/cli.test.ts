import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoCli, jsonLines } from '../demoCli';

let cli: DemoCli;
beforeAll(() => { cli = new DemoCli(); }, 120_000);
afterAll(() => cli.dispose());

/** A demonstration whose dangerous call was approved in a process of its own. */
async function played(): Promise<string> {
  const folder = cli.folder();
  await cli.run(['demo', '--dir', folder, '--once', '--json'], '');
  await cli.run(['session', 'decide', folder, '--approve']);
  await cli.run(['session', 'resume', folder, '--json']);
  return folder;
}

const edit = (folder: string, change: (lines: string[]) => string[]): void => {
  const path = join(folder, 'audit.jsonl');
  writeFileSync(path, change(readFileSync(path, 'utf8').trimEnd().split('\n')).map((line) => `${line}\n`).join(''));
};

describe('session --audit', () => {
  it('checks the chain of three processes and tells a call in both languages, by person and machine', async () => {
    const folder = await played();
    const both = [await cli.run(['session', folder, '--audit']), await cli.run(['session', 'audit', folder])];
    expect(both[0]).toEqual(both[1]);
    expect(both[0]!.code).toBe(0);
    expect(both[0]!.stdout).toMatch(/^audit chain intact: \d+ records in /);
    const zh = await cli.run(['session', folder, '--audit', '--lang', 'zh']);
    expect(zh.stdout).toMatch(/审计链完好/);
    const lines = jsonLines((await cli.run(['session', folder, '--audit', '--json'])).stdout);
    expect(lines[0]).toMatchObject({ type: 'audit', intact: true, torn: false });
    const asked = lines.find((line) => JSON.stringify(line['steps'] ?? '').includes('frozen'))!;
    expect((asked['steps'] as { step: string; decider: string }[]).map((step) => step.step)).toEqual(expect.arrayContaining(['proposed', 'gate', 'policy', 'frozen', 'decision', 'claim', 'started', 'finished', 'closed']));
    const one = await cli.run(['session', folder, '--audit', '--call', String(asked['callId'])]);
    expect(one.stdout).toContain(`${String(asked['callId'])}  ${String(asked['tool'])}  done`);
    expect(one.stdout).toMatch(/decision: approved by person/);
    expect((await cli.run(['session', folder, '--audit', '--call', 'nothing'])).code).toBe(2);
  }, 60_000);

  it('EXE-18 names the first broken record and ends with code 5', async () => {
    const folder = await played();
    const path = join(folder, 'audit.jsonl');
    const whole = readFileSync(path, 'utf8');
    const damages: readonly [(lines: string[]) => string[], RegExp][] = [
      [(lines) => lines.map((line, at) => at === 3 ? line.replace('"decider":"', '"decider":"not-') : line), /broken at line 4, record 3: the record was changed/],
      [(lines) => lines.filter((_line, at) => at !== 3), /broken at line 4, record 4: records before it are missing/],
      [(lines) => lines.slice(0, -1), /the end of the file is missing/],
    ];
    for (const [damage, words] of damages) {
      writeFileSync(path, whole);
      edit(folder, damage);
      const seen = await cli.run(['session', folder, '--audit']);
      expect([seen.code, seen.stdout]).toEqual([5, expect.stringMatching(words)]);
      expect((await cli.run(['session', folder, '--audit', '--redact', 'call'])).stdout).toBe('');
    }
  }, 60_000);

  it('a redacted copy holds on its own and shows what it may', async () => {
    const folder = await played();
    const copy = await cli.run(['session', folder, '--audit', '--redact', 'session,call,decider']);
    const file = join(folder, 'copy.jsonl');
    writeFileSync(file, copy.stdout);
    expect(copy.stdout).not.toMatch(/"(session|call|decider)":("|\{"v")/);
    const seen = await cli.run(['session', file, '--audit']);
    expect([seen.code, seen.stdout]).toEqual([0, expect.stringMatching(/details are taken out/)]);
    expect((await cli.run(['session', folder, '--audit', '--redact', 'arguments'])).code).toBe(2);
  }, 60_000);

  it('a folder without records, and a call without DIR, are a matter of usage', async () => {
    expect((await cli.run(['session', cli.folder(), '--audit'])).code).toBe(2);
    expect((await cli.run(['session'])).code).toBe(2);
    expect((await cli.run(['session', '--help'])).stdout).toContain('--audit');
  }, 60_000);
});
