import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorCode } from '@core/base/ErrorCodes';
import { Result } from '@core/base/Result';
import type { ArtifactStore } from '@core/port/ArtifactStore';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { CommitFault } from '@core/testing/StoppingStateStorage';
import { ToolResult } from '@core/tool/ToolResult';
import { openFileArtifactStore } from '../../../host/src/artifact/openFileArtifactStore';
import type { Process } from '../../support/Process';
import { Desk } from './desk';

const text = (size: number, seed: number): string => Array.from({ length: size / 10 }, (_, at) => `${seed}🙂${String(at).padStart(7, '0')}`).join('').slice(0, size - 2) + '🙂';
const lonely = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const three = new ScriptedTurn().call('c1', 'big', '{"n":1}').call('c2', 'big', '{"n":2}').call('c3', 'big', '{"n":3}');

function toolLines(process: Process): string[] {
  return process.history().filter((line) => line.startsWith('tool '));
}

function world(store: ArtifactStore | undefined, size = 400_000): { desk: Desk; open: (turns: ScriptedTurn[]) => Promise<Process> } {
  const desk = new Desk();
  desk.world.safe('big', { maxResultChars: 16_000, concurrencySafe: true }).work = async (args) => ToolResult.text(text(size, args.getNumber('n') ?? 0));
  return { desk, open: (turns) => desk.world.open({ turns, config: desk.config({ artifactStore: store, limits: { maxBatchResultChars: 24_000 } }) }) };
}

describe('S14 three results of 400 kB', () => {
  it('S14 EXE-13 become artifacts with previews within the budget, length and digest, and read back exactly after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'arkagent-artifacts-'));
    const { desk, open } = world(openFileArtifactStore(folder));
    const one = await open([three]);
    expect(await one.say('go')).toBe('complete');
    const results = one.runtime.snapshot().history.toArray().filter((message) => message.role === 'tool').map((message) => message.contents.map((part) => part.asText() ?? '').join(''));
    expect(results.map((result) => result.length <= 16_000)).toEqual([true, true, true]);
    expect(results.join('').length).toBeLessThanOrEqual(24_000);
    const ids: string[] = [];
    results.forEach((result, at) => {
      const found = /^([\s\S]*)\[cut: (\d+) of 400000 characters shown; the full text is artifact (a\d+-[0-9a-f]{8}), see read_artifact\]$/.exec(result);
      expect(found, result.slice(-200)).not.toBeNull();
      expect([text(400_000, at + 1).startsWith(found?.[1] ?? 'x'), found?.[1].length, lonely.test(result)]).toEqual([true, Number(found?.[2]), false]);
      ids.push(found?.[3] ?? '');
    });
    expect(results[0].length).toBeGreaterThan(15_000);
    const envelopes = one.log.runEvents.flatMap((event) => event.envelope?.artifact ?? []);
    expect(envelopes).toEqual(ids.map((id, at) => ({ file: id, chars: 400_000, sha256: createHash('sha256').update(text(400_000, at + 1)).digest('hex') })));
    expect(new Set(ids).size).toBe(3);
    one.kill();

    const read = Array.from({ length: 40 }, (_, at) => ScriptedTurn.call(`r${at}`, 'read_artifact', JSON.stringify({ id: ids[1], offset: at * 10_000, limit: 10_000 })));
    const two = await desk.world.open({ turns: read, config: desk.config({ artifactStore: openFileArtifactStore(folder) }) });
    expect(await two.say('read it')).toBe('complete');
    const pieces = two.runtime.snapshot().history.toArray().filter((message) => message.role === 'tool').slice(3);
    expect(pieces[0].contents[0].asText()).toBe('[artifact: characters 0 to 10000 of 400000; next offset 10000]');
    expect(pieces.at(-1)?.contents[0].asText()).toBe('[artifact: characters 390000 to 400000 of 400000; end]');
    expect(pieces.map((message) => message.contents[1].asText()).join('')).toBe(text(400_000, 2));
  });

  it('EXE-13 read_artifact is visible only when there is something to read, also after a restart, and only for the own session', async () => {
    const store = openFileArtifactStore(mkdtempSync(join(tmpdir(), 'arkagent-artifacts-')));
    const { desk, open } = world(store);
    const one = await open([ScriptedTurn.call('c0', 'read_artifact', '{"id":"a1-00000000"}'), ScriptedTurn.call('c1', 'big', '{"n":1}')]);
    await one.say('go');
    const seen = (process: Process): boolean[] => process.provider.requests().map((request) => request.tools.some((tool) => tool.name === 'read_artifact'));
    expect(seen(one)).toEqual([false, false, true]);
    expect(toolLines(one)[0]).toContain('tool_not_visible');
    const two = await open([]);
    await two.say('again');
    expect(seen(two)).toEqual([true]);
    const id = /artifact (a\S+),/.exec(toolLines(one)[1])?.[1] ?? '';
    expect((await store.read('other', id, 0, 10)).error.code).toBe('artifact_not_found');
    expect((await store.read(desk.world.sessionId, id, 0, 10)).value.text).toBe(text(400_000, 1).slice(0, 10));
  });

  it('DEC-41 without a store they are cut and say how long they were; a failing or throwing store does the same and leaves a line in the log', async () => {
    const failing: ArtifactStore = { put: async () => Result.failure(ArkAgentError.of(ErrorCode.artifactStoreFailed, 'full')), read: async () => Result.failure(ArkAgentError.of(ErrorCode.artifactNotFound, 'x')), removeSession: async () => Result.success(0) };
    const throwing: ArtifactStore = { ...failing, put: () => { throw new Error('broken'); } };
    for (const store of [undefined, failing, throwing]) {
      const { desk, open } = world(store);
      const one = await open([three]);
      expect(await one.say('go')).toBe('complete');
      expect(toolLines(one).map((line) => /\[cut: \d+ of 400000 characters shown\]$/.test(line))).toEqual([true, true, true]);
      expect(toolLines(one).join('').length).toBeLessThanOrEqual(24_000 + 200);
      expect(desk.outlets.lines.filter((line) => line.includes('could not be kept')).length).toBe(store === undefined ? 0 : 3);
    }
  });

  it('EXE-13 what fits is left alone; a budget that earlier calls used up is kept over a kill', async () => {
    const small = world(openFileArtifactStore(mkdtempSync(join(tmpdir(), 'arkagent-artifacts-'))), 1000);
    const one = await small.open([three]);
    await one.say('go');
    expect(toolLines(one)).toEqual([1, 2, 3].map((n) => `tool c${n}: ${text(1000, n)}`));
    const desk = new Desk();
    desk.world.sensitive('put', { maxResultChars: 16_000 }).work = async () => ToolResult.text('x'.repeat(15_000));
    const config = desk.config({ limits: { maxBatchResultChars: 24_000 } });
    const two = await desk.world.open({ turns: [new ScriptedTurn().call('c1', 'put', '{}').call('c2', 'put', '{"n":2}')], config });
    await two.say('go');
    await two.approveAll();
    two.storage.plan(4, CommitFault.stopAfter);
    expect(await two.resume()).toBe('stopped');
    const three_ = await desk.world.open({ config });
    await three_.resume();
    expect(toolLines(three_).reduce((sum, line) => sum + line.length, 0)).toBeLessThan(24_000 + 200);
  });

  it('EXE-14 what is kept was masked first', async () => {
    const key = 'sk-abcdEFGH1234ijklMNOP5678qrst';
    const folder = mkdtempSync(join(tmpdir(), 'arkagent-artifacts-'));
    const desk = new Desk();
    desk.world.safe('big').work = async () => ToolResult.text(`${'x '.repeat(20_000)}${key}`);
    const store = openFileArtifactStore(folder);
    const one = await desk.world.open({ turns: [ScriptedTurn.call('c1', 'big', '{}')], config: desk.config({ artifactStore: store }) });
    await one.say('go');
    const id = /artifact (a\S+),/.exec(toolLines(one)[0])?.[1] ?? '';
    expect((await store.read(desk.world.sessionId, id, 39_990, 100)).value.text).toBe('x x x x x [secret:api-key:1]');
  });
});
