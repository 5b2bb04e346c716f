import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { core, open, registry, run } from './agent.mjs';
import { line, sideBySide } from './stats.mjs';

const STEPS = 50;

/** Bytes and ms per commit of two messages with a short and a long history, through the file storage with fsync. */
export async function measure(openFileStateStorage) {
  const found = await sideBySide({
    floor100: () => plainFile(100), file100: () => session(openFileStateStorage, 100),
    floor5000: () => plainFile(5000), file5000: () => session(openFileStateStorage, 5000),
  }, 3, 1);
  const bytes = {};
  for (const history of [100, 5000]) bytes[history] = await bytesPerCommit(openFileStateStorage, history);
  return [
    line('commit, whole history as one JSON file, 100 messages', found.floor100, 'ms'),
    line('commit, file storage, 100 messages', found.file100, 'ms'),
    line('commit, whole history as one JSON file, 5,000 messages', found.floor5000, 'ms'),
    line('commit, file storage, 5,000 messages', found.file5000, 'ms'),
    line('bytes per commit, 100 messages', bytes[100], 'B'),
    line('bytes per commit, 5,000 messages', bytes[5000], 'B'),
  ];
}

async function plainFile(history) {
  const { closeSync, fsyncSync, openSync, renameSync, writeSync } = await import('node:fs');
  const folder = mkdtempSync(join(tmpdir(), 'arkagent-bench-'));
  const messages = Array.from({ length: history }, (_, i) => ({ role: 'user', content: `message number ${i} of the history` }));
  const started = performance.now();
  for (let i = 0; i < STEPS; i++) {
    messages.push({ role: 'assistant', content: 'answer' });
    const fd = openSync(join(folder, 'tmp'), 'w');
    writeSync(fd, JSON.stringify(messages));
    fsyncSync(fd);
    closeSync(fd);
    renameSync(join(folder, 'tmp'), join(folder, 'session.json'));
  }
  const ms = (performance.now() - started) / STEPS;
  rmSync(folder, { recursive: true, force: true });
  return ms;
}

async function prepared(openFileStateStorage, history) {
  const folder = mkdtempSync(join(tmpdir(), 'arkagent-bench-'));
  const turns = { left: 0 };
  const provider = core.ScriptedProvider.answering(() =>
    turns.left-- > 0 ? core.ScriptedTurn.call('c', 'read', `{"id":"r${turns.left}"}`) : core.ScriptedTurn.text('done'));
  const storage = openFileStateStorage(folder);
  const runtime = await open({ provider, toolRegistry: registry(), stateStorage: storage });
  const input = Array.from({ length: history - 1 }, (_, i) => core.AgentMessage.user(`message number ${i} of the history`));
  const outcome = await runtime.runStream(input, new core.BaseObserver());
  if (!outcome.ok) throw outcome.error;
  return { folder, runtime, turns };
}

async function session(openFileStateStorage, history) {
  const { folder, runtime, turns } = await prepared(openFileStateStorage, history);
  const before = runtime.snapshot().revision;
  turns.left = STEPS;
  const started = performance.now();
  await run(runtime);
  const ms = (performance.now() - started) / (runtime.snapshot().revision - before);
  await runtime.close();
  rmSync(folder, { recursive: true, force: true });
  return ms;
}

/** Growth of the folder over the commits, whose log is not compacted in between. */
async function bytesPerCommit(openFileStateStorage, history) {
  const { folder, runtime, turns } = await prepared(openFileStateStorage, history);
  await run(runtime);
  const before = { revision: runtime.snapshot().revision, size: sizeOf(folder) };
  turns.left = 5;
  await run(runtime);
  const bytes = (sizeOf(folder) - before.size) / (runtime.snapshot().revision - before.revision);
  await runtime.close();
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
