import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerStreamCommand } from '../../../host/src/stream/registerStreamCommand';
import type { StreamResult } from '../../../host/src/stream/streamResult';
import { CHUNK_SIZES, dataFolder, readCases, type StreamCase } from './replay';

interface Ran {
  code: number;
  out: string;
  err: string;
}

function run(args: string[], stdin?: Uint8Array): Ran {
  const ran: Ran = { code: 0, out: '', err: '' };
  const program = new Command('arkagent').exitOverride();
  registerStreamCommand(program, {
    stdout: { write: (text) => (ran.out += text) },
    stderr: { write: (text) => (ran.err += text) },
    lang: 'en',
    readStdin: stdin === undefined ? undefined : () => stdin,
    setExitCode: (code) => (ran.code = code),
  });
  try {
    program.parse(['stream', ...args], { from: 'user' });
  } catch (e) {
    if (!(e instanceof CommanderError)) throw e;
    ran.code = e.exitCode;
  }
  return ran;
}

const folder = mkdtempSync(join(tmpdir(), 'arkagent-stream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HELLO = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('arkagent stream', () => {
  it('prints exactly one JSON object with the agreed members', () => {
    const ran = run([file('hello.sse', HELLO), '--json']);
    expect(ran.out.trimEnd().split('\n').length).toBe(1);
    expect(JSON.parse(ran.out)).toEqual({
      outcome: 'complete', text: 'Hello', reasoning: '', toolCalls: [], finishReason: 'stop', usage: null, error: null,
    });
    expect([ran.code, ran.err]).toEqual([0, '']);
  });

  it('shows text, calls, finish reason, tokens and the error to a person, in both languages', () => {
    const call = '{"index":0,"id":"c1","function":{"name":"pay","arguments":"{\\"a\\":"}}';
    const cut = file('cut.sse', `data: {"choices":[{"index":0,"delta":{"content":"Hi \\u001b[31m","reasoning":"hm","tool_calls":[${call}]}}]}\n\n`);
    const english = run([cut]).out;
    expect(english).toContain('Hi \uFFFD[31m');
    expect(english).toContain('Call c1  pay  [must not run]');
    expect(english).toContain('provider_stream_incomplete');
    expect(english).toContain('=> incomplete');
    expect(run([cut, '--lang', 'zh']).out).toContain('=> 不完整');
  });

  it('reads standard input, status and headers', () => {
    const body = new TextEncoder().encode('{"error":{"message":"slow","code":"rate_limit_exceeded"}}');
    const ran = run(['-', '--json', '--status', '429', '--header', 'Retry-After: 5', '--header', 'x: y'], body);
    expect(ran.code).toBe(0);
    expect((JSON.parse(ran.out) as StreamResult).error).toEqual({
      layer: 'provider', code: 'provider_rate_limited', message: 'slow', providerCode: 'rate_limit_exceeded', status: 429, retryAfterMs: 5000,
    });
  });

  it('answers every flag and file that cannot be used with one line and exit code 2', () => {
    const good = file('good.sse', HELLO);
    const bad: string[][] = [
      [], [good, 'second'], [good, '--no-such-flag'], [good, '--status', 'abc'], [good, '--status', '99'], [good, '--status', '600'], [good, '--status', '2e2'],
      [good, '--status'], [good, '--chunk', '0'], [good, '--chunk', '-1'], [good, '--chunk', '1.5'], [good, '--chunk', ''], [good, '--header', 'no colon'],
      [good, '--header', ': x'], [good, '--header', 'a b: c'], [good, '--lang', 'fr'], [join(folder, 'missing.sse')], [folder], [`${folder}/\u0000`], [''],
    ];
    for (const args of bad) {
      const ran = run(args);
      expect([args, ran.code]).toEqual([args, 2]);
      expect(ran.out).toBe('');
      expect(ran.err.trimEnd().split('\n').length, ran.err).toBe(1);
      expect(ran.err).toMatch(/^error: /);
      expect(ran.err).not.toMatch(/\bat .*:\d+:\d+/);
    }
  });

  it('--help names the exit codes and ends with 0', () => {
    const ran = run(['--help']);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('Exit codes');
  });
});

const folders = ['sse-recorded', 'sse-quirks'].map(dataFolder).filter((found) => found !== '');

describe.skipIf(folders.length === 0)('arkagent stream over the recordings (needs ../shared/data)', () => {
  const cases = folders.flatMap((found) => readCases(found).map((one) => ({ folder: found, one })));

  function argsOf(one: StreamCase): string[] {
    return ['--json', '--status', `${one.status}`, ...[...one.headers].flatMap(([name, value]) => ['--header', `${name}: ${value}`])];
  }

  it('STR-05 gives the same object for every piece size, for each recording', () => {
    for (const { one } of cases) {
      const whole = run(['-', ...argsOf(one)], one.bytes);
      expect([one.name, whole.code, whole.err]).toEqual([one.name, 0, '']);
      const result = JSON.parse(whole.out) as StreamResult;
      if (one.name !== 'json-plus-done') expect([one.name, result.outcome, result.text]).toEqual([one.name, one.expect.outcome, one.expect.text]);
      expect(result.toolCalls.map((call) => call.mustNotRun)).toEqual(one.expect.toolCalls.map((call) => call.mustNotRun ?? false));
      for (const size of CHUNK_SIZES.filter((entry) => entry !== 1)) {
        expect(run(['-', ...argsOf(one), '--chunk', `${size}`], one.bytes).out).toBe(whole.out);
      }
    }
  });

  describe('as a process of its own', () => {
    const bundle = join(folder, 'entry.mjs');

    beforeAll(async () => {
      const root = fileURLToPath(new URL('../../..', import.meta.url));
      await build({
        entryPoints: [fileURLToPath(new URL('./streamEntry.ts', import.meta.url))], outfile: bundle, bundle: true, platform: 'node', format: 'esm',
        alias: { agent_core: join(root, 'agent_core/src/main/ets/core/index.ts') }, logLevel: 'silent',
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      });
    });

    it('STR-05 reads a file and standard input, and ends with the right exit code', () => {
      for (const { one } of cases.filter((_entry, at) => at % 60 === 0)) {
        const process = spawnSync('node', [bundle, 'stream', '-', ...argsOf(one), '--chunk', '7'], { input: one.bytes, encoding: 'utf8' });
        expect([one.name, process.status, process.stderr]).toEqual([one.name, 0, '']);
        expect((JSON.parse(process.stdout) as StreamResult).outcome).toBe(one.expect.outcome);
      }
      const bad = spawnSync('node', [bundle, 'stream', join(folder, 'nothing-here')], { encoding: 'utf8' });
      expect([bad.status, bad.stdout]).toEqual([2, '']);
      expect(bad.stderr.trimEnd().split('\n').length).toBe(1);
    });
  });
});
