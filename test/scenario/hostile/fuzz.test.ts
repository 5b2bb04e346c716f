import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { ACTS } from './acts';
import { CaseRun, type HostileCall, type HostileCase } from './Case';
import { Grounds, TOOL_NAMES } from './Grounds';
import { Prototypes } from './Prototypes';
import { hostileText, planted } from './texts';

/** ARKAGENT_FUZZ=100000 makes that many calls, other ones each time; ARKAGENT_FUZZ_SEED repeats a run. */
const WANTED = Number(process.env.ARKAGENT_FUZZ ?? 2000);
const SEED = Number(process.env.ARKAGENT_FUZZ_SEED ?? (process.env.ARKAGENT_FUZZ === undefined ? 7 : Date.now() % 0x7fffffff));
/** Of one to three, somewhat fewer than two on average. */
const CALLS_PER_CASE = 1.95;

const name = fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...TOOL_NAMES) }, { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', '', 'read_artifact', 'x'.repeat(300), 'job_cancel') }, { weight: 1, arbitrary: planted });
const call = fc.tuple(name, hostileText, fc.constantFrom(...Object.keys(ACTS))).map(([tool, args, act]): HostileCall =>
  (typeof tool === 'string' ? { tool, args, act } : { tool: tool.text, args: { text: args.text, secrets: [...args.secrets, tool] }, act }));
const one: fc.Arbitrary<HostileCase> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 3 }), unknown: fc.constantFrom(UnknownArgumentPolicy.allow, UnknownArgumentPolicy.allow, UnknownArgumentPolicy.reject, UnknownArgumentPolicy.strip),
  vault: fc.nat(9).map((at) => at > 0), jobs: fc.boolean(), answer: fc.constantFrom<HostileCase['answer']>('approve', 'approve', 'deny', 'edit', 'cancel'), other: hostileText, rewrites: fc.nat(3).map((at) => at === 0), direct: fc.nat(3).map((at) => at === 0),
});

describe('hostile calls through the whole pipeline', () => {
  const prototypes = new Prototypes();
  const unhandled: string[] = [];
  const note = (reason: unknown): void => void unhandled.push(String(reason));
  let grounds: Grounds;
  beforeAll(async () => {
    process.on('unhandledRejection', note);
    grounds = await Grounds.open();
  });
  afterAll(() => {
    process.off('unhandledRejection', note);
    grounds.dispose();
  });

  it(`EXE-14 EXE-15 JSON-04 crash nothing, leak nothing, change no prototype and reach no executor that its schema keeps closed (seed ${SEED})`, async () => {
    let calls = 0;
    await fc.assert(fc.asyncProperty(one, async (given) => {
      calls += given.calls.length;
      const faults = await new CaseRun(grounds, given).run();
      const wrong = [...new Set([...faults, ...prototypes.changed().map((kind) => `the prototype of ${kind} was changed`), ...unhandled.splice(0).map((text) => `unhandled: ${text}`)])];
      return wrong.length === 0 || Promise.reject(new Error(wrong.join('\n')));
    }), { numRuns: Math.ceil(WANTED / CALLS_PER_CASE), seed: SEED });
    process.stdout.write(`hostile calls: ${calls}, executors entered: ${grounds.entries}, seed ${SEED}\n`);
    expect(grounds.entries).toBeGreaterThan(calls / 8);
  }, 24 * 3600 * 1000);
});

describe('the judges of the fuzz run', () => {
  it('see a changed prototype', () => {
    const prototypes = new Prototypes();
    expect(prototypes.changed()).toEqual([]);
    try {
      Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true });
      expect(prototypes.changed()).toEqual(['Object']);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });
});
