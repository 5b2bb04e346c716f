import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { defineConfig, type Plugin } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** ArkTS sources without decorators are TypeScript to Node; only their file name has to be explained. */
const ets: Plugin = {
  name: 'ets-as-ts',
  enforce: 'pre',
  async transform(code, id) {
    if (!id.split('?')[0].endsWith('.ets')) return null;
    const out = await transform(code, { loader: 'ts', target: 'es2022', sourcefile: id, sourcemap: true });
    return { code: out.code, map: out.map };
  },
};

export default defineConfig({
  plugins: [ets],
  resolve: {
    extensions: ['.ts', '.ets', '.mjs', '.js', '.json'],
    alias: [
      { find: /^agent_core$/, replacement: `${root}agent_core/src/main/ets/core/index.ts` },
      // Adapters meet stand-ins that behave as the platform notes say: what the device really does is for its own suites to show.
      { find: /^@kit\.(\w+)$/, replacement: `${root}test/unit/platform/kit/$1.ts` },
      { find: /^@entry\//, replacement: `${root}entry/src/main/ets/` },
      { find: /^@platform\//, replacement: `${root}agent_core/src/main/ets/platform/` },
      { find: /^@core\//, replacement: `${root}agent_core/src/main/ets/core/` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
