/** Runs one list of suites in this process, as the generated test runner does on a device. One list per process: hypium keeps module state. */
import { Hypium } from 'hypium-original';
import { registered } from '@ohos/hypium';
import suites from 'suites-under-test';

const write = process.stdout.write.bind(process.stdout);
for (const method of ['log', 'info', 'debug', 'warn', 'error']) console[method] = () => {};

let report = '';
const unhandled = [];
process.on('unhandledRejection', (reason) => unhandled.push(String(reason?.stack ?? reason)));
process.on('uncaughtException', (error) => unhandled.push(String(error.stack)));

const delegator = {
  printSync: (text) => {
    report += text;
  },
  print: (text) => {
    report += text;
    return Promise.resolve();
  },
  executeShellCommand: () => {},
  finishTest: (_message, _code, callback) => {
    // A rejection that nobody handles is announced after the microtasks of this turn.
    setImmediate(() => {
      write(`${JSON.stringify({ report, registered: registered.cases, unhandled })}\n`, () => process.exit(0));
    });
    callback?.();
  },
};

Hypium.hypiumTest(delegator, { bundleName: 'host', testCaseNames: '', testRunnerClassName: 'node', parameters: {} }, suites);
