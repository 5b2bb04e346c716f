import { performance } from 'node:perf_hooks';
import { core, open, ports, registry, run } from './agent.mjs';
import { line, sideBySide } from './stats.mjs';

const TURNS = 100;

/** µs per turn of one safe call: without a sink, with one that only takes the records, and with the hash-chained file in memory. */
export async function measure() {
  const found = await sideBySide({
    none: () => perTurn(() => undefined),
    taking: () => perTurn(() => new core.NoAuditSink()),
    chained: () => perTurn(() => new core.JsonlAuditSink({ ...ports, files: new DiskInMemory() }, 'audit.jsonl')),
  }, 25);
  const chain = await sideBySide({ seal: sealing, verify: verifying }, 15);
  return [
    line('turn without an audit sink', found.none, 'us'),
    line('turn with a sink that keeps nothing', found.taking, 'us'),
    line('turn with the hash-chained file, written once per commit', found.chained, 'us'),
    line('sealing one record', chain.seal, 'us'),
    line('checking one record', chain.verify, 'us'),
  ];
}

async function perTurn(sink) {
  const provider = core.ScriptedProvider.answering((_, n) =>
    n < TURNS ? core.ScriptedTurn.call('c', 'read', `{"id":"r${n}","n":${n}}`) : core.ScriptedTurn.text('done'));
  const started = performance.now();
  const runtime = await open({ provider, toolRegistry: registry(), auditSink: sink() });
  await run(runtime);
  await runtime.close();
  return ((performance.now() - started) * 1000) / TURNS;
}

function records() {
  return Array.from({ length: 1000 }, (_, n) => ({
    sessionId: 'bench', runId: 'r', batchId: `r.${n >> 3}`, callId: `c${n >> 3}`, position: 0, tool: 'read', step: 'gate',
    decider: 'runtime', decision: 'ok', code: '', timeMs: 1750000000000 + n,
  }));
}

function written() {
  const salt = 'f'.repeat(64);
  const first = core.AuditOpeningLine.of(ports.digest, salt);
  const chain = new core.AuditChain(ports.digest, salt, { seq: 0, hash: first.hash(ports.digest) });
  return records().reduce((text, entry) => text + chain.seal(entry), `${first.write(ports.digest)}\n`);
}

function sealing() {
  const started = performance.now();
  written();
  return performance.now() - started;
}

function verifying() {
  const text = written();
  const started = performance.now();
  const verdict = core.AuditVerifier.check(ports.digest, text);
  if (verdict.records !== 1000) throw new Error('the chain does not hold');
  return performance.now() - started;
}

/** The four operations that a sink uses. */
class DiskInMemory {
  texts = new Map();
  async readText(path) {
    return this.texts.has(path) ? core.Result.success(this.texts.get(path)) : core.Result.failure(new core.FileError(core.FileErrorKind.notFound, 'no file'));
  }
  async writeNew(path, text) { return this.append(path, text); }
  async append(path, text) { this.texts.set(path, (this.texts.get(path) ?? '') + text); return core.Result.success(true); }
  async rename(from, to) { this.texts.set(to, this.texts.get(from) ?? ''); this.texts.delete(from); return core.Result.success(true); }
  async unlink(path) { this.texts.delete(path); return core.Result.success(true); }
}
