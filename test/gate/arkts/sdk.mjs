import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** OpenHarmony's compiler fork: TypeScript plus `struct`, the component DSL and the ArkTS linter. */
export const ts = require('ohos-typescript');

/** Absolute path of the repository, with forward slashes. */
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]+$/, '').replaceAll('\\', '/');

/** Folder with the SDK declarations (api, arkts, component, kits). */
export const sdkFolder = dirname(require.resolve('@arkts/declarations')).replaceAll('\\', '/');

const SDK_SUBFOLDERS = [
  [/^@kit\./, 'kits'],
  [/^@(ohos|system|hms)\./, 'api'],
  [/^@arkts\./, 'arkts'],
];

/** Declaration file of a module such as `@kit.AbilityKit` or `@ohos.net.http`; undefined when the SDK has none. */
export function sdkModule(name) {
  for (const [pattern, folder] of SDK_SUBFOLDERS) {
    if (!pattern.test(name)) continue;
    for (const extension of ['.d.ets', '.d.ts']) {
      const path = `${sdkFolder}/${folder}/${name}${extension}`;
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}

/** Files that declare the ambient world: components, `$r`, console, timers. */
export function ambientFiles() {
  const folder = join(sdkFolder, 'component');
  const components = readdirSync(folder).filter((name) => name.endsWith('.d.ts')).map((name) => `${sdkFolder}/component/${name}`);
  return [...components, `${sdkFolder}/global.d.ts`];
}

/**
 * What the parser has to know of ArkUI. The component names are read from the declarations, so they always fit the installed SDK level.
 */
export function etsOptions() {
  const attributes = new Map();
  const components = new Set();
  for (const file of ambientFiles()) {
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/declare const (\w+): (\w+)(Interface|Attribute)\b/g)) {
      if (match[3] === 'Interface') components.add(match[1]);
    }
    for (const match of text.matchAll(/declare class (\w+)Attribute\b/g)) attributes.set(match[1], `${match[1]}Attribute`);
  }
  for (const flowControl of ['ForEach', 'LazyForEach', 'Repeat']) components.delete(flowControl);
  const extendable = [...components].filter((name) => attributes.has(name));
  return {
    render: { method: ['build', 'pageTransition'], decorator: ['Builder', 'LocalBuilder'] },
    components: [...components],
    libs: [],
    extend: {
      decorator: ['Extend', 'AnimatableExtend'],
      components: extendable.map((name) => ({ name, type: `${name}Attribute`, instance: `${name}Instance` })),
    },
    styles: { decorator: 'Styles', component: { name: 'Common', type: 'T', instance: 'CommonInstance' }, property: 'stateStyles' },
    concurrent: { decorator: 'Concurrent' },
    customComponent: 'CustomComponent',
    propertyDecorators: ['Link', 'Prop', 'ObjectLink', 'Consume', 'Require', 'Event', 'BuilderParam']
      .map((name) => ({ name, needInitialization: false })),
    emitDecorators: [],
    syntaxComponents: {
      paramsUICallback: ['ForEach', 'LazyForEach'],
      attrUICallback: [{ name: 'Repeat', attributes: ['each', 'template'] }],
    },
  };
}
