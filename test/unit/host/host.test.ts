import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArkAgentError, AgentEventType, ErrorCode, LogLevel, ToolCall, ToolCallStatus, type ErrorDetail } from 'agent_core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BakingFolder } from '../../../entry/src/main/ets/baking/BakingFiles.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { ExitCode, exitCodeHelp } from '../../../host/src/ExitCode';
import { exitCodeOf, faultLine } from '../../../host/src/SessionFault';
import { FsBakingFiles } from '../../../host/src/baking/FsBakingFiles';
import { DemoFolder } from '../../../host/src/demo/DemoFolder';
import { DemoLoop } from '../../../host/src/demo/DemoLoop';
import { languageOf, onlineModelOf } from '../../../host/src/demo/DemoOptions';
import { PlainOutput } from '../../../host/src/demo/PlainOutput';
import { ConsoleLogger } from '../../../host/src/ports/ConsoleLogger';
import { nodePorts } from '../../../host/src/ports/NodePorts';
import { TerminalStyle } from '../../../host/src/terminal/TerminalStyle';
import { envelope, event } from '../viewmodel/fixtures';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'arkagent-host-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

describe('Node ports', () => {
  const ports = nodePorts();

  it('tell time, make ids and digest as the contract says', () => {
    expect(Number.isInteger(ports.clock.nowMs())).toBe(true);
    expect(Math.abs(ports.clock.nowMs() - Date.now())).toBeLessThan(1000);
    const ids = new Set(Array.from({ length: 1000 }, () => ports.ids.nextId()));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9-]{1,64}$/);
    expect(ports.digest.sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(ports.digest.sha256Hex('é')).toBe(ports.digest.sha256Hex('\u00e9'));
  });

  it('run a task later and once, and not after a cancel', async () => {
    const ran: string[] = [];
    const before = ports.scheduler.monotonicMs();
    await new Promise<void>((resolve) => {
      ports.scheduler.schedule(0, () => ran.push('cancelled')).cancel();
      const task = ports.scheduler.schedule(1, () => {
        ran.push('done');
        resolve();
      });
      expect(ran).toEqual([]);
      void task;
    });
    expect(ran).toEqual(['done']);
    expect(ports.scheduler.monotonicMs()).toBeGreaterThanOrEqual(before);
  });

  it('log what is important to standard error only', () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const logger = new ConsoleLogger(LogLevel.warn);
    logger.log(LogLevel.info, 'a', 'quiet');
    logger.log(LogLevel.error, 'b', 'loud');
    expect(written).toEqual(['error b: loud\n']);
    expect(nodePorts(logger).logger).toBe(logger);
  });
});

describe('FsBakingFiles', () => {
  it('are real files with their names; what is missing is undefined, an I/O fault is a throw', async () => {
    const files = new FsBakingFiles(root, join(root, 'effects.log'));
    expect(files.count(BakingFolder.cache)).toBe(0);
    await files.write(BakingFolder.cache, 'b', 'two');
    await files.write(BakingFolder.cache, 'a', 'one');
    writeFileSync(join(root, 'cache', 'stray.tmp'), '');
    expect(await files.list(BakingFolder.cache)).toEqual(['a', 'b']);
    expect(files.count(BakingFolder.cache)).toBe(2);
    expect(readFileSync(join(root, 'cache', 'a.txt'), 'utf8')).toBe('one');
    expect([await files.remove(BakingFolder.cache, 'a'), await files.remove(BakingFolder.cache, 'a')]).toEqual([true, false]);
    expect(await files.read(BakingFolder.cache, 'a')).toBeUndefined();
    mkdirSync(join(root, 'notes', 'x.txt'), { recursive: true });
    await expect(files.read(BakingFolder.notes, 'x')).rejects.toThrow();
    files.logEffect('one');
    files.logEffect('two');
    expect(readFileSync(join(root, 'effects.log'), 'utf8')).toBe('one\ntwo\n');
  });
});

describe('DemoFolder', () => {
  it('makes its folder with all parents, twice, and empties only what is its own', () => {
    const folder = new DemoFolder(join(root, 'a', 'b'));
    expect(() => folder.requireExisting()).toThrow('no demonstration');
    expect(folder.reset()).toBeUndefined();
    folder.create();
    folder.create();
    folder.requireExisting();
    mkdirSync(folder.cache);
    writeFileSync(join(folder.cache, 'x.txt'), '');
    writeFileSync(folder.effectLog, 'one\n\ntwo\n');
    writeFileSync(join(folder.root, 'mine.txt'), 'keep');
    expect([folder.cacheFiles(), folder.effects()]).toEqual([['x.txt'], ['one', 'two']]);
    folder.reset();
    expect(readdirSync(folder.root).sort()).toEqual(['arkagent-demo.txt', 'mine.txt']);
    expect([folder.cacheFiles(), folder.effects()]).toEqual([[], []]);
  });

  it('moves an unreadable session aside, each into a folder of its own', () => {
    const folder = new DemoFolder(root);
    folder.create();
    for (const number of [1, 2]) {
      mkdirSync(folder.session);
      writeFileSync(join(folder.session, 'baking.corrupt.json'), String(number));
      expect(folder.reset()).toBe(join(root, `kept-${number}`));
      expect(existsSync(folder.session)).toBe(false);
    }
    expect(readFileSync(join(root, 'kept-1', 'baking.corrupt.json'), 'utf8')).toBe('1');
  });
});

describe('flags and endings', () => {
  it('an online model needs both halves and a plain address', () => {
    const flags = { dir: '.', lang: 'en' };
    expect(onlineModelOf(flags)).toBeUndefined();
    expect(onlineModelOf({ ...flags, baseUrl: 'https://x/v1', model: 'm' })).toEqual({ baseUrl: 'https://x/v1', model: 'm' });
    for (const bad of [{ baseUrl: 'https://x' }, { model: 'm' }, { baseUrl: 'https://x', model: ' ' }, { baseUrl: 'file:///x', model: 'm' }, { baseUrl: 'https://a:b@x', model: 'm' }]) {
      expect(() => onlineModelOf({ ...flags, ...bad })).toThrow();
    }
  });

  it('the language comes from the environment', () => {
    expect([languageOf({}), languageOf({ LANG: 'zh_CN.UTF-8' }), languageOf({ LC_ALL: 'en_US', LANG: 'zh' })]).toEqual(['en', 'zh', 'en']);
  });

  it('every exit code is in the help', () => {
    const codes = Object.values(ExitCode).filter((code) => typeof code === 'number');
    for (const code of codes) expect(exitCodeHelp()).toMatch(new RegExp(`^  ${code} `, 'm'));
  });

  it('an unreadable session has an exit code of its own and its file is named, safely', () => {
    const details = new Map<string, ErrorDetail>([['file', 'x/\u001bbaking.corrupt.json']]);
    const corrupt = ArkAgentError.of(ErrorCode.stateCorrupt, 'bad\nbyte', { details });
    expect(exitCodeOf(corrupt)).toBe(ExitCode.SessionUnusable);
    expect(exitCodeOf(ArkAgentError.of(ErrorCode.stateVersionUnsupported, 'x'))).toBe(ExitCode.SessionUnusable);
    expect(exitCodeOf(ArkAgentError.of(ErrorCode.stateConflict, 'x'))).toBe(ExitCode.Failed);
    expect(faultLine(corrupt, new Words('en'))).toMatch(/^error: .*state_corrupt: bad\\nbyte\) \[x\/\\u001bbaking\.corrupt\.json\]$/);
  });
});

describe('PlainOutput', () => {
  function output() {
    const written: string[] = [];
    const plain = new PlainOutput({
      write: (text) => void written.push(text), words: new Words('en'), style: new TerminalStyle({ write: () => true }, {}),
      captions: new ToolCaptions(), savedIn: '.demo/session',
    });
    return { plain, text: () => written.join('') };
  }

  it('streams text as it comes and ends the line before anything else', () => {
    const { plain, text } = output();
    const call = new ToolCall('c', 'read', '{}', 0);
    for (const piece of ['Hel', 'lo \ud83c', '\udf5e\u001b[2J']) plain.event(event(AgentEventType.textDelta, { text: piece }));
    plain.event(event(AgentEventType.toolCallStarted, { call }));
    plain.event(event(AgentEventType.toolCallFinished, { call, envelope: envelope(call, ToolCallStatus.unknown, 'tool_outcome_unknown') }));
    expect(text()).toBe('Assistant: Hello 🍞\\u001b[2J\n  ▸ read: running\n  ? read: outcome unknown (tool_outcome_unknown)\n');
  });

  it('says restored, save failures, stopping and refusals in the person\'s words', () => {
    const { plain, text } = output();
    plain.start({ restored: true, line: 'Continued from 14:05.', revision: 7, online: true });
    plain.event(event(AgentEventType.statePersisted, { text: 'after_tool_batch', persisted: false }));
    plain.event(event(AgentEventType.cancelRequested));
    plain.stopHint();
    plain.refused(ArkAgentError.of(ErrorCode.approvalEditRejected, 'no\u202e'));
    expect(text()).toContain('(restored from disk: .demo/session, revision 7)');
    expect(text()).toContain('could not save this step (after_tool_batch)\nStopping…\nPress Ctrl-C again');
    expect(text()).toContain('The edit was refused: \u2068approval_edit_rejected: no\\u202e\u2069. The question is still open.');
    plain.refused(ArkAgentError.of(ErrorCode.approvalBatchClosed, 'closed'));
    expect(text()).toContain('This question is no longer open. Load the session again. (\u2068approval_batch_closed: closed\u2069)');
  });
});

describe('DemoLoop and Ctrl-C', () => {
  it('during a run once asks it to stop, twice leaves at once', async () => {
    let interrupt = (): void => {};
    const signals: boolean[] = [];
    let ended: (value: unknown) => void = () => {};
    const runtime = {
      restored: false, snapshot: () => ({ revision: 0, pendingApproval: undefined, run: undefined, updatedAtMs: 0 }),
      runStream: (_messages: unknown, _observer: unknown, signal: { onCancelled(listener: () => void): void }) => {
        signal.onCancelled(() => signals.push(true));
        return new Promise((resolve) => { ended = resolve; });
      },
    };
    const hints: string[] = [];
    const exit = vi.spyOn(process, 'exit').mockImplementation(((code: number) => { hints.push(`exit ${code}`); }) as never);
    const loop = new DemoLoop({
      agent: { runtime, controller: { listPendingBatches: () => [] }, hasOpenWork: false, isFresh: true } as never,
      person: {} as never, interrupts: { on: (listener: () => void) => { interrupt = listener; } } as never,
      output: { start: () => {}, message: () => {}, ended: (reason: string) => hints.push(reason), stopHint: () => hints.push('hint') } as never,
      words: new Words('en'), suggestion: '', firstMessage: 'go', once: true, mayKill: false, dieAfterDecision: false, online: false,
    });
    const done = loop.run();
    await Promise.resolve();
    interrupt();
    expect([signals, hints]).toEqual([[true], ['hint']]);
    interrupt();
    expect(exit).toHaveBeenCalledWith(ExitCode.Interrupted);
    ended({ ok: true, value: { kind: 'cancelled', stopReason: 'cancelled' } });
    expect(await done).toBe(ExitCode.Done);
    expect(hints.at(-1)).toBe('cancelled');
  });
});
