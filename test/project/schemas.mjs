/**
 * JSON Schemas of the project files, written from the vendor's field tables. Required fields, types and closed lists of values; objects
 * refuse unknown fields where a misspelt one would silently do nothing.
 */

const text = { type: 'string', minLength: 1 };
const moduleName = { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,127}$' };
const version = { type: 'string', pattern: '^(?:[1-9]\\d*)\\.\\d+\\.\\d+$' };
const sdkVersion = { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+\\(\\d+\\)$' };
const empty = { type: 'object', maxProperties: 0 };
const anyObject = { type: 'object' };
const dependencies = {
  type: 'object',
  propertyNames: { pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$' },
  additionalProperties: { type: 'string', pattern: '^([~^]?\\d+\\.\\d+\\.\\d+([-+].*)?|tag:.+|file:.+|@module:.+)$' },
};
const reference = (kind) => ({ type: 'string', pattern: `^\\$${kind}:\\w+$` });
const fields = (required, properties) => ({ type: 'object', required, properties, additionalProperties: false });
const listOf = (items, minItems = 1) => ({ type: 'array', items, minItems });

const strictMode = fields([], {
  caseSensitiveCheck: { type: 'boolean' },
  useNormalizedOHMUrl: { const: true },
  noExternalImportByPath: { type: 'boolean' },
  harLocalDependencyCheck: { type: 'boolean' },
  duplicateDependencyCheck: { type: 'boolean' },
});

const rootBuildProfile = fields(['app', 'modules'], {
  app: fields(['products'], {
    signingConfigs: { type: 'array' },
    products: {
      ...listOf(
        fields(['name', 'compatibleSdkVersion', 'runtimeOS'], {
          name: text,
          signingConfig: text,
          compatibleSdkVersion: sdkVersion,
          targetSdkVersion: sdkVersion,
          runtimeOS: { const: 'HarmonyOS' },
          buildOption: fields([], { strictMode, arkOptions: anyObject }),
        }),
      ),
      contains: { type: 'object', properties: { name: { const: 'default' } } },
    },
    buildModeSet: listOf(fields(['name'], { name: text })),
  }),
  modules: listOf(
    fields(['name', 'srcPath'], {
      name: moduleName,
      srcPath: { type: 'string', pattern: '^\\./[^/.]' },
      targets: listOf(fields(['name'], { name: { not: { const: 'ohosTest' } }, applyToProducts: listOf(text) })),
    }),
  ),
});

const hvigorConfig = fields(['modelVersion', 'dependencies'], {
  modelVersion: version,
  dependencies: empty,
  execution: anyObject,
  logging: anyObject,
  debugging: anyObject,
  nodeOptions: anyObject,
  properties: anyObject,
});

const rootPackage = fields(['modelVersion'], {
  modelVersion: version,
  description: { type: 'string', maxLength: 512 },
  dependencies: empty,
  devDependencies: dependencies,
  overrides: dependencies,
});

const modulePackage = fields(['name', 'version', 'main'], {
  name: { type: 'string', pattern: '^(@[a-z0-9_-]+/)?[a-z0-9_-]+$', maxLength: 128 },
  version,
  description: { type: 'string', maxLength: 512 },
  main: { type: 'string', pattern: '^(|[\\w/]+\\.(ets|ts|js))$' },
  author: fields(['name'], { name: text, email: text }),
  license: { const: 'Apache-2.0' },
  keywords: listOf(text),
  repository: text,
  homepage: text,
  dependencies,
  devDependencies: dependencies,
  'oh-exports': {},
});

const moduleBuildProfile = fields(['apiType', 'targets'], {
  apiType: { const: 'stageMode' },
  buildOption: anyObject,
  buildOptionSet: listOf(fields(['name'], { name: text, arkOptions: anyObject, resOptions: anyObject })),
  targets: {
    ...listOf(fields(['name'], { name: text })),
    contains: { type: 'object', properties: { name: { const: 'default' } } },
  },
});

const deviceTypes = { ...listOf({ enum: ['phone', 'tablet', '2in1', 'tv', 'wearable', 'car'] }), uniqueItems: true };
const permission = fields(['name'], {
  name: { type: 'string', pattern: '^ohos\\.permission\\.[A-Z_]+$' },
  reason: reference('string'),
  usedScene: anyObject,
});

const ability = fields(['name', 'srcEntry', 'startWindowIcon', 'startWindowBackground'], {
  name: text,
  srcEntry: { type: 'string', pattern: '^\\./ets/.+\\.ets$' },
  description: reference('string'),
  icon: reference('media'),
  label: reference('string'),
  startWindowIcon: reference('media'),
  startWindowBackground: reference('color'),
  exported: { type: 'boolean' },
  launchType: { enum: ['singleton', 'multiton', 'specified'] },
  continuable: { type: 'boolean' },
  recoverable: { type: 'boolean' },
  backgroundModes: listOf(text),
  skills: listOf(fields([], { entities: listOf(text), actions: listOf(text), uris: listOf(anyObject) })),
});

const extensionAbility = fields(['name', 'type', 'srcEntry'], {
  name: text,
  type: text,
  srcEntry: { type: 'string', pattern: '^\\./ets/.+\\.ets$' },
  description: reference('string'),
  exported: { type: 'boolean' },
  metadata: listOf(fields(['name'], { name: text, value: text, resource: reference('profile') })),
});

const moduleCommon = { name: moduleName, description: reference('string'), deviceTypes, requestPermissions: listOf(permission) };
const installable = {
  deliveryWithInstall: { type: 'boolean' },
  installationFree: { type: 'boolean' },
  mainElement: text,
  pages: reference('profile'),
  abilities: listOf(ability),
  extensionAbilities: listOf(extensionAbility),
  routerMap: reference('profile'),
  metadata: listOf(anyObject),
};

const har = fields(['module'], { module: fields(['name', 'type', 'deviceTypes'], { ...moduleCommon, type: { const: 'har' } }) });
const entry = fields(['module'], {
  module: fields(['name', 'type', 'deviceTypes', 'deliveryWithInstall', 'installationFree', 'pages', 'mainElement', 'abilities'], {
    ...moduleCommon,
    ...installable,
    type: { const: 'entry' },
  }),
});
const testModule = fields(['module'], {
  module: fields(['name', 'type', 'deviceTypes', 'deliveryWithInstall', 'installationFree'], {
    ...moduleCommon,
    ...installable,
    name: { type: 'string', pattern: '_test$' },
    type: { const: 'feature' },
  }),
});

const app = fields(['app'], {
  app: fields(['bundleName', 'versionCode', 'versionName', 'icon', 'label'], {
    bundleName: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_]*(\\.[a-zA-Z][a-zA-Z0-9_]*){2,}$', minLength: 7, maxLength: 128 },
    vendor: text,
    versionCode: { type: 'integer', minimum: 1 },
    versionName: { type: 'string', pattern: '^\\d+(\\.\\d+)+$' },
    icon: reference('media'),
    label: reference('string'),
    configuration: reference('profile'),
  }),
});

const named = (value) => listOf(fields(['name', 'value'], { name: { type: 'string', pattern: '^\\w+$' }, value }));
const element = {
  ...fields([], {
    string: named({ type: 'string' }),
    color: named({ type: 'string', pattern: '^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' }),
    float: named({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?(vp|fp|px|lpx)?$' }),
    integer: named({ type: 'integer' }),
    boolean: named({ type: 'boolean' }),
    plural: named(listOf(fields(['quantity', 'value'], { quantity: { enum: ['zero', 'one', 'two', 'few', 'many', 'other'] }, value: text }))),
    strarray: named(listOf(fields(['value'], { value: text }))),
  }),
  minProperties: 1,
};

const codeLinter = fields(['files', 'ruleSet'], {
  files: listOf(text),
  ignore: listOf(text),
  ruleSet: listOf({ type: 'string', pattern: '^plugin:@?[\\w-]+(/[\\w-]+)?/(all|recommended)$' }),
  rules: { type: 'object', additionalProperties: { enum: ['off', 'suggestion', 'warn', 'error'] } },
});

const layeredImage = fields(['layered-image'], {
  'layered-image': fields(['background', 'foreground'], { background: reference('media'), foreground: reference('media') }),
});
const mainPages = fields(['src'], { src: { ...listOf({ type: 'string', pattern: '^[^/].*[^/.]$', not: { pattern: '\\.ets$' } }), uniqueItems: true } });
const mockConfig = { type: 'object', additionalProperties: fields(['source'], { source: { type: 'string', pattern: '^src/mock/.+\\.ets$' } }) };

/** First matching row decides. `required` files have to exist. */
export const schemaTable = [
  { pattern: /^AppScope\/app\.json5$/, schema: app, required: ['AppScope/app.json5'] },
  { pattern: /^build-profile\.json5$/, schema: rootBuildProfile, required: ['build-profile.json5'] },
  { pattern: /^hvigor\/hvigor-config\.json5$/, schema: hvigorConfig, required: ['hvigor/hvigor-config.json5'] },
  { pattern: /^oh-package\.json5$/, schema: rootPackage, required: ['oh-package.json5'] },
  { pattern: /^code-linter\.json5$/, schema: codeLinter, required: ['code-linter.json5'] },
  { pattern: /^[^/]+\/oh-package\.json5$/, schema: modulePackage, required: ['agent_core/oh-package.json5', 'entry/oh-package.json5'] },
  { pattern: /^[^/]+\/build-profile\.json5$/, schema: moduleBuildProfile, required: ['agent_core/build-profile.json5', 'entry/build-profile.json5'] },
  { pattern: /^agent_core\/src\/main\/module\.json5$/, schema: har, required: ['agent_core/src/main/module.json5'] },
  { pattern: /^entry\/src\/main\/module\.json5$/, schema: entry, required: ['entry/src/main/module.json5'] },
  { pattern: /^[^/]+\/src\/ohosTest\/module\.json5$/, schema: testModule, required: ['agent_core/src/ohosTest/module.json5'] },
  { pattern: /^[^/]+\/src\/mock\/mock-config\.json5$/, schema: mockConfig, required: [] },
  { pattern: /\/resources\/[^/]+\/element\/[^/]+\.json$/, schema: element, required: [] },
  { pattern: /\/resources\/[^/]+\/media\/[^/]+\.json$/, schema: layeredImage, required: [] },
  { pattern: /\/resources\/base\/profile\/main_pages\.json$/, schema: mainPages, required: ['entry/src/main/resources/base/profile/main_pages.json'] },
  { pattern: /\/resources\/[^/]+\/profile\/[^/]+\.json$/, schema: anyObject, required: [] },
];
