import { relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PluginKind, declareClassPlugin } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus, determineHitLimitReached } from '@stryker-mutator/api/test-runner';
import { getFn, startTests } from '@vitest/runner';
import { Modules } from './modules.mjs';
import { CORE, MUTANT_CPU_MS, TEST_CPU_MS, TEST_WALL_MS, coreFiles, testFiles } from './scope.mjs';

const TIMED_OUT = /^the test (waits, and nothing|takes longer)|timed out in \d+ms/;
const WATCH_MS = 20;
const BUDGET_MS = Number(process.env.MUTATION_BUDGET_MS ?? MUTANT_CPU_MS);
const QUICK_MS = 120;

const space = (globalThis.__stryker__ ??= {});

/** What `vitest` asks of the worker it believes to be in. */
globalThis.__vitest_worker__ = { config: { expect: {}, snapshotOptions: { expand: false } }, providedContext: {}, filepath: '' };

function fullName(task) {
  const names = [];
  for (let one = task; one !== undefined && one.type !== undefined && one.filepath === undefined; one = one.suite) names.unshift(one.name);
  return names.join(' ');
}

function activeResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

async function restingResources() {
  await setTimeout(100);
  return activeResources();
}

/** Runs the tests of one file in this process. */
class FileRun {
  config = {
    root: process.cwd(), setupFiles: [], name: undefined, passWithNoTests: true, testNamePattern: undefined, allowOnly: false,
    sequence: { hooks: 'stack', setupFiles: 'list', seed: 1 }, chaiConfig: undefined, maxConcurrency: 1, testTimeout: 0,
    hookTimeout: TEST_WALL_MS, retry: 0, includeTaskLocation: false, tags: [], tagsFilter: undefined, strictTags: false,
  };
  tests = [];
  failed = undefined;
  #wanted;
  #stopAtFailure;
  #modules;
  #running = undefined;
  #atRest;

  constructor(modules, atRest, wanted, stopAtFailure) {
    this.#atRest = atRest;
    this.#modules = modules;
    this.#wanted = wanted;
    this.#stopAtFailure = stopAtFailure;
  }

  importFile(path) {
    this.#modules.load(path);
  }

  onCollected(files) {
    for (const file of files) this.#choose(file);
  }

  /** @returns whether something of the task is to run */
  #choose(task) {
    if (task.type === 'test') {
      if (this.#wanted !== undefined && !this.#wanted.has(this.idOf(task))) task.mode = 'skip';
      return task.mode === 'run';
    }
    const any = task.tasks.map((one) => this.#choose(one)).some((one) => one);
    if (!any) task.mode = 'skip';
    return any;
  }

  idOf(test) {
    return `${relative(process.cwd(), test.file.filepath)}#${fullName(test)}`;
  }

  onBeforeRunTask(test) {
    if (this.failed !== undefined && this.#stopAtFailure) test.mode = 'skip';
  }

  onBeforeTryTask(test) {
    this.#running = test;
    space.currentTestId = this.idOf(test);
  }

  /** Most hanging tests wait for a promise that nobody holds any more: said as soon as the process has nothing to do, not after the time-out. */
  async runTask(test) {
    const wall = performance.now();
    const used = process.cpuUsage();
    let watch;
    const hanging = new Promise((_resolve, reject) => {
      let quiet = 0;
      watch = setInterval(() => {
        quiet = [...activeResources()].some(([kind, count]) => count > (this.#atRest.get(kind) ?? 0)) ? 0 : quiet + 1;
        if (quiet > 2) reject(new Error('the test waits, and nothing is left that could wake it'));
        const { user, system } = process.cpuUsage(used);
        if (user + system > TEST_CPU_MS * 1000 || performance.now() - wall > TEST_WALL_MS) reject(new Error('the test takes longer than any other'));
      }, WATCH_MS).unref();
    });
    try {
      await Promise.race([getFn(test)(), hanging]);
    } finally {
      clearInterval(watch);
    }
  }

  onAfterRunTask(test) {
    this.#running = undefined;
    space.currentTestId = undefined;
    if (test.result?.state === 'fail') this.fail(this.idOf(test), test.result.errors?.[0]?.message ?? 'failed without a message');
    if (test.mode === 'run') this.tests.push(test);
  }

  fail(id, message) {
    this.failed ??= { id, message };
  }

  strayError(error) {
    this.fail(this.#running === undefined ? 'outside of a test' : this.idOf(this.#running), `unhandled: ${error?.message ?? error}`);
  }
}

/**
 * Runs the project's vitest tests inside Stryker's own process. A worker of vitest is started, and loads the whole core, for every mutant:
 * seconds each. Here the mutated core is loaded once, and only the test files that reach a mutant are evaluated again.
 */
class InProcessRunner {
  #modules;
  #durations = new Map();
  #killers = new Map();
  /** What keeps this process alive while no test runs: the pipes to Stryker's main process. */
  #atRest;
  #current;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const externals = new Map();
    for (const name of ['vitest', 'fast-check']) externals.set(name, await import(name));
    this.#modules = new Modules(process.cwd(), externals);
    for (const path of coreFiles()) this.#modules.load(resolve(path));
    process.on('unhandledRejection', (error) => this.#current?.strayError(error));
    process.on('uncaughtException', (error) => this.#current?.strayError(error));
  }

  async dryRun() {
    this.#atRest = await restingResources();
    space.activeMutant = undefined;
    const tests = [];
    for (const path of testFiles()) {
      const collecting = `collecting ${path}`;
      space.currentTestId = collecting;
      const run = await this.#run(path);
      if (run.error !== undefined) return { status: DryRunStatus.Error, errorMessage: run.error };
      const own = run.tests.map((test) => ({
        id: run.idOf(test), name: fullName(test), fileName: path, timeSpentMs: test.result.duration,
        status: test.result.state === 'pass' ? TestStatus.Success : TestStatus.Failed, failureMessage: test.result.errors?.[0]?.message,
      }));
      if (run.failed !== undefined && own.every((one) => one.status === TestStatus.Success)) return { status: DryRunStatus.Error, errorMessage: `${path}: ${run.failed.message}` };
      tests.push(...own);
      this.#shareCollecting(collecting, own.map((one) => one.id));
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: space.mutantCoverage };
  }

  /** What a file does outside of its tests, in bodies of describe, is done for each of them. */
  #shareCollecting(collecting, ids) {
    const perTest = space.mutantCoverage?.perTest ?? {};
    const hits = perTest[collecting];
    delete perTest[collecting];
    if (hits === undefined) return;
    for (const id of ids) {
      const own = (perTest[id] ??= {});
      for (const mutant of Object.keys(hits)) own[mutant] = (own[mutant] ?? 0) + hits[mutant];
    }
  }

  async mutantRun(options) {
    this.#atRest ??= await restingResources();
    const byFile = new Map();
    for (const id of options.testFilter ?? []) {
      const path = id.slice(0, id.indexOf('#'));
      byFile.set(path, (byFile.get(path) ?? new Set()).add(id));
    }
    const killers = this.#killersOf(options.activeMutant.fileName);
    const paths = this.#inOrder([...byFile.keys()], options.activeMutant.fileName, killers);
    let spent = 0;
    space.hitCount = 0;
    space.hitLimit = options.hitLimit;
    space.activeMutant = options.activeMutant.id;
    let nrOfTests = 0;
    try {
      for (const path of paths) {
        const warm = this.#durations.has(path);
        const used = process.cpuUsage();
        const run = await this.#run(path, byFile.get(path), true);
        // What the first run of a file takes goes into translating it.
        if (warm) spent += process.cpuUsage(used).user / 1000;
        nrOfTests += run.tests.length;
        const overrun = determineHitLimitReached(space.hitCount, space.hitLimit);
        if (overrun !== undefined) return { status: MutantRunStatus.Timeout, reason: overrun.reason };
        if (run.error !== undefined) run.fail(path, run.error);
        if (run.failed === undefined) {
          if (spent > BUDGET_MS) break;
          continue;
        }
        killers.set(path, (killers.get(path) ?? 0) + 1);
        if (TIMED_OUT.test(run.failed.message)) return { status: MutantRunStatus.Timeout, reason: run.failed.message };
        return { status: MutantRunStatus.Killed, killedBy: [run.failed.id], failureMessage: run.failed.message, nrOfTests };
      }
    } finally {
      space.activeMutant = undefined;
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /** The quick unit tests of the mutated folder first, then what has noticed mutants of the same file, then what is quick. */
  #inOrder(paths, fileName, killers) {
    const folder = `test/unit/${fileName.slice(fileName.indexOf(CORE) + CORE.length + 1).split('/')[0]}/`;
    const rank = (path) => (path.startsWith(folder) && (this.#durations.get(path) ?? 0) < QUICK_MS ? 1_000_000 : 0) + (killers.get(path) ?? 0);
    return paths.sort((a, b) => rank(b) - rank(a) || (this.#durations.get(a) ?? 0) - (this.#durations.get(b) ?? 0));
  }

  /** How many mutants of a file each test file has noticed: those that noticed one are asked early about the next. */
  #killersOf(fileName) {
    let known = this.#killers.get(fileName);
    if (known === undefined) this.#killers.set(fileName, (known = new Map()));
    return known;
  }

  async #run(path, wanted, stopAtFailure = false) {
    const run = new FileRun(this.#modules, this.#atRest, wanted, stopAtFailure);
    this.#current = run;
    const used = process.cpuUsage();
    this.#modules.forgetTests();
    globalThis.__vitest_worker__.filepath = resolve(path);
    const [file] = await startTests([resolve(path)], run);
    this.#durations.set(path, Math.max(this.#durations.get(path) ?? 0, process.cpuUsage(used).user / 1000));
    if (file.result?.state === 'fail' && run.failed === undefined) run.error = `${path}: ${file.result.errors?.[0]?.stack ?? 'the file or a hook failed'}`;
    return run;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
