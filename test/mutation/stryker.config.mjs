import { CORE, FOLDERS } from './scope.mjs';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['./test/mutation/runner.mjs', './test/mutation/sentences.mjs'],
  testRunner: 'in-process',
  ignorers: ['sentences'],
  mutate: FOLDERS.map((folder) => `${CORE}/${folder}/**/*.ts`),
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  // Only for loops that never yield: the runner itself notices tests that hang, and a change that is met far too often stops by itself.
  timeoutMS: 15_000,
  ignorePatterns: ['/dist', '/docs', '/reports', '/coverage'],
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false },
  allowEmpty: true,
};
