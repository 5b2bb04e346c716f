import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runList, type HypiumRun } from './run.mjs';

const run = (name: string, watchdogMs?: number): Promise<HypiumRun> =>
  runList(fileURLToPath(new URL(`fixtures/${name}.test.ets`, import.meta.url)), watchdogMs === undefined ? {} : { watchdogMs });

describe('hypium on Node', () => {
  it('PLAT-02 accepts a suite in which every case passes', async () => {
    const { cases, problems } = await run('Passing');
    expect(problems).toEqual([]);
    expect(cases.map((one) => `${one.suite}#${one.name} ${one.outcome}`)).toEqual(['Passing#adds passed', 'Passing#waits passed']);
  });

  it('PLAT-02 fails on a failing case and names it', async () => {
    const { cases, problems } = await run('Failing');
    expect(problems).toEqual(['1 failed']);
    expect(cases.find((one) => one.outcome === 'failed')).toMatchObject({ suite: 'Failing', name: 'does_not_hold', detail: expect.stringContaining('2') });
  });

  it('PLAT-02 fails on a case that throws, which hypium itself ends with code 0', async () => {
    const { cases, problems } = await run('Erroring');
    expect(problems).toEqual(['1 ended with an error']);
    expect(cases[0]).toMatchObject({ outcome: 'error', detail: expect.stringContaining('thrown by the case') });
  });

  it('PLAT-02 fails when no case ran', async () => {
    expect((await run('Empty')).problems).toEqual(['no case was run']);
  });

  it('PLAT-02 fails when fewer cases ran than were registered', async () => {
    expect((await run('Hidden')).problems).toContain('2 cases are registered, 1 were run');
  });

  it('PLAT-02 stops a run that never ends', async () => {
    expect((await run('Endless', 1500)).problems).toEqual(['no end after 1500 ms: stopped by the watchdog']);
  });

  it('PLAT-02 fails when the process ends without a report', async () => {
    expect((await run('Leaving')).problems.join()).toMatch(/without a report/);
  });

  it('PLAT-02 fails on a rejection that nobody handled', async () => {
    const { cases, problems } = await run('Rejecting');
    expect(cases[0]?.outcome).toBe('passed');
    expect(problems.join()).toMatch(/unhandled rejection: Error: nobody waits for this/);
  });

  it('PLAT-02 fails when the suites do not build', async () => {
    expect((await run('NoSuchFile')).problems.join()).toMatch(/does not build/);
  });
});
