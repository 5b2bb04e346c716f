import { describe, expect, it } from 'vitest';
import { checkProject } from './check-project.mjs';
import { ProjectFiles } from './project.mjs';

const ENTRY_MODULE = 'entry/src/main/module.json5';
const HAR_MODULE = 'agent_core/src/main/module.json5';
const BASE = 'entry/src/main/resources/base';

/** The project on disk; suites and pages are replaced by small known ones, so that each broken fixture differs in one thing. */
function soundProject(): ProjectFiles {
  const onDisk = ProjectFiles.read();
  const changes: Record<string, string | null> = {};
  for (const path of onDisk.paths(/\.(test\.ets|ets)$/)) changes[path] = null;
  return onDisk.with(
    {
      ...changes,
      'agent_core/Index.ets': '',
      'entry/src/main/ets/entryability/EntryAbility.ets': '',
      'entry/src/main/ets/pages/Index.ets': '@Entry\n@ComponentV2\nstruct Index {}',
      'agent_core/src/test/List.test.ets': "import one from './One.test';\nexport default function testsuite(): void {\n  one();\n}\n",
      'agent_core/src/test/One.test.ets': suite('One', 'works'),
      'agent_core/src/ohosTest/ets/test/List.test.ets': null,
    },
    [],
  );
}

function suite(name: string, ...cases: string[]): string {
  const body = cases.map((title) => `    it('${title}', 0, () => {});`).join('\n');
  return `import { describe, it } from '@ohos/hypium';\nexport default function suite(): void {\n  describe('${name}', () => {\n${body}\n  });\n}\n`;
}

const sound = soundProject();

/** Replaces part of one file; fails when the part is not there, so that a fixture cannot stop breaking anything unnoticed. */
function edit(path: string, from: string | RegExp, to: string): ProjectFiles {
  const before = sound.text(path);
  if (before === undefined) throw new Error(`${path} is not part of the project`);
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} does not hold ${String(from)}`);
  return sound.with({ [path]: after });
}

const broken: [string, string, () => ProjectFiles][] = [
  ['a comma too many', 'parse', () => sound.with({ 'AppScope/app.json5': '{ "app": {,} }' })],
  ['a missing file', 'file-missing', () => sound.with({ 'hvigor/hvigor-config.json5': null })],
  ['a missing required field', 'schema', () => edit(ENTRY_MODULE, '"deliveryWithInstall": true,', '')],
  ['a wrong type', 'schema', () => edit('AppScope/app.json5', '1000000', '"1000000"')],
  ['an unknown field', 'schema', () => edit('build-profile.json5', '"runtimeOS"', '"runtimeOs": 1, "runtimeOS"')],
  ['an integer SDK version', 'schema', () => edit('build-profile.json5', '"5.0.0(12)"', '12')],
  ['the OpenHarmony runtime', 'schema', () => edit('build-profile.json5', '"HarmonyOS"', '"OpenHarmony"')],
  ['no product called default', 'schema', () => edit('build-profile.json5', '"name": "default",\n        "compatible', '"name": "main",\n        "compatible')],
  ['an unknown device type', 'schema', () => edit(ENTRY_MODULE, '"tablet"', '"default"')],
  ['a bundle name of two segments', 'schema', () => edit('AppScope/app.json5', 'com.example.arkagent', 'example.arkagent')],
  ['dependencies at the root', 'schema', () => edit('oh-package.json5', '"dependencies": {}', '"dependencies": { "a": "1.0.0" }')],
  ['an upper-case package name', 'schema', () => edit('agent_core/oh-package.json5', '"agent_core"', '"AgentCore"')],
  ['a main without extension', 'schema', () => edit('agent_core/oh-package.json5', '"Index.ets"', '"Index"')],
  ['the ohosTest target of a product', 'schema', () => edit('build-profile.json5', '{ "name": "default", "applyToProducts"', '{ "name": "ohosTest", "applyToProducts"')],
  ['a permission that is none', 'schema', () => edit(ENTRY_MODULE, 'ohos.permission.INTERNET', 'INTERNET')],
  ['a colour that is none', 'schema', () => edit(`${BASE}/element/color.json`, '#FFFFFF', 'white')],
  ['two model versions', 'model-version', () => edit('oh-package.json5', '5.0.0', '6.0.0')],
  ['a compatible version above the target', 'sdk-order', () => edit('build-profile.json5', '"runtimeOS"', '"targetSdkVersion": "4.1.0(11)", "runtimeOS"')],
  ['a module called differently', 'module-name', () => edit('build-profile.json5', '"name": "agent_core"', '"name": "agentcore"')],
  ['a module folder that does not exist', 'module-folder', () => edit('build-profile.json5', './agent_core', './agent-core')],
  ['a HAR without its main file', 'main', () => sound.with({ 'agent_core/Index.ets': null })],
  ['a dependency under another key', 'dependency-key', () => edit('entry/oh-package.json5', '"agent_core":', '"agentcore":')],
  ['a HAR that depends on a local module', 'har-local-dependency', () => edit('agent_core/oh-package.json5', '"dependencies": {}', '"dependencies": { "entry": "file:../entry" }')],
  ['a HAR with pages', 'har-pages', () => edit(HAR_MODULE, '"type": "har",', '"type": "har", "pages": "$profile:main_pages",')],
  ['a HAR without a changelog', 'har-documents', () => sound.with({ 'agent_core/CHANGELOG.md': ' \n' })],
  ['a HAR under another licence', 'har-documents', () => sound.with({ 'agent_core/LICENSE': 'other' })],
  ['a readme that does not say how to install', 'har-documents', () => sound.with({ 'agent_core/README.md': '# agent_core' })],
  ['an ability without its file', 'source-missing', () => sound.with({ 'entry/src/main/ets/entryability/EntryAbility.ets': null })],
  ['a page without its file', 'source-missing', () => edit(`${BASE}/profile/main_pages.json`, 'pages/Index', 'pages/index')],
  ['a page without @Entry', 'source-missing', () => edit('entry/src/main/ets/pages/Index.ets', '@Entry', '')],
  ['a main element that is no ability', 'main-element', () => edit(ENTRY_MODULE, '"mainElement": "EntryAbility"', '"mainElement": "Entry"')],
  ['a signing configuration', 'signing', () => edit('build-profile.json5', '"signingConfigs": []', '"signingConfigs": [{}]')],
  ['a signed product', 'signing', () => edit('build-profile.json5', '"runtimeOS"', '"signingConfig": "default", "runtimeOS"')],
  ['signing material', 'signing', () => sound.with({}, ['release.p12'])],
  ['BuildProfile.ets under version control', 'generated', () => sound.with({}, ['agent_core/BuildProfile.ets'])],
  ['local.properties under version control', 'generated', () => sound.with({}, ['local.properties'])],
  ['oh_modules under version control', 'generated', () => sound.with({}, ['entry/oh_modules/x/Index.ets'])],
  ['a string that is not defined', 'resource-reference', () => edit(ENTRY_MODULE, '$string:module_desc', '$string:modul_desc')],
  ['an icon that is not defined', 'resource-reference', () => edit('AppScope/app.json5', '$media:layered_image', '$media:app_icon')],
  ['a layer that is not defined', 'resource-reference', () => sound.with({ 'AppScope/resources/base/media/foreground.png': null })],
  ['a colour that is not defined', 'resource-reference', () => edit(ENTRY_MODULE, '$color:start_window_background', '$color:start_window')],
  ['a page list that is not defined', 'resource-reference', () => edit(ENTRY_MODULE, '$profile:main_pages', '$profile:pages')],
  ['a string in code that is not defined', 'resource-reference', () => sound.with({ 'entry/src/main/ets/view/A.ets': "Text($r('app.string.nowhere'))" })],
  ['a translation without a base value', 'resource-without-base', () => edit('entry/src/main/resources/zh_CN/element/string.json', 'ability_desc', 'ability_text')],
  ['a dark colour without a base value', 'resource-without-base', () => edit('entry/src/main/resources/dark/element/color.json', 'start_window_background', 'start_window')],
  ['a text that one language lacks', 'language-keys', () => edit('entry/src/main/resources/zh_CN/element/string.json', /\{ "name": "ability_desc".*\n/, '')],
  ['a text defined twice', 'resource-twice', () => edit(`${BASE}/element/string.json`, 'ability_desc', 'ability_label')],
  ['an image that is cut off', 'image', () => sound.with({ [`${BASE}/media/start_icon.png`]: '\x89PNG\r\n\x1a\n' })],
  ['a suite that nobody calls', 'suite-list', () => sound.with({ 'agent_core/src/test/Two.test.ets': suite('Two', 'works') })],
  ['a suite that is imported only', 'suite-list', () => edit('agent_core/src/test/List.test.ets', '  one();\n', '')],
  ['suites without a list', 'suite-list', () => sound.with({ 'agent_core/src/test/List.test.ets': null })],
  ['a file below ohosTest that is no test', 'suite-file-name', () => sound.with({ 'agent_core/src/ohosTest/ets/test/Helper.ets': '' })],
  ['a suite name with a space', 'suite-name', () => sound.with({ 'agent_core/src/test/One.test.ets': suite('One two', 'works') })],
  ['a suite name that is computed', 'suite-name', () => edit('agent_core/src/test/One.test.ets', "'One'", '`One`')],
  ['two suites of one name', 'suite-name', () => sound.with({ 'agent_core/src/test/Two.test.ets': suite('One', 'works') })],
  ['a case name with a space', 'case-name', () => sound.with({ 'agent_core/src/test/One.test.ets': suite('One', 'it works') })],
  ['a case name that is computed', 'case-name', () => edit('agent_core/src/test/One.test.ets', "'works'", 'NAME')],
  ['two cases of one name', 'case-name', () => sound.with({ 'agent_core/src/test/One.test.ets': suite('One', 'works', 'works') })],
];

describe('HarmonyOS project files', () => {
  it('PLAT-03 every file of the project parses, fits its schema and names only what exists', () => {
    expect(checkProject(ProjectFiles.read())).toEqual([]);
  });

  it('has no finding in the fixture that the broken ones start from', () => {
    expect(checkProject(sound)).toEqual([]);
  });

  it.each(broken)('reports %s as %s', (_name, rule, build) => {
    expect(checkProject(build()).map((finding) => finding.rule)).toContain(rule);
  });
});
