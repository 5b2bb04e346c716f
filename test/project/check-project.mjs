import Ajv from 'ajv';
import JSON5 from 'json5';
import { ProjectFiles } from './project.mjs';
import { checkImages, checkQualifiers, checkReferences } from './resources.mjs';
import { schemaTable } from './schemas.mjs';
import { checkLists, checkNames } from './suites.mjs';

const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
const compiled = schemaTable.map((row) => ({ ...row, validate: ajv.compile(row.schema) }));

const GENERATED = /(^|\/)(BuildProfile\.ets|local\.properties|oh_modules|node_modules|build|\.hvigor|\.test|\.preview|\.cxx|\.idea|\.appanalyzer)(\/|$)/;
const SIGNING = /\.(p12|p7b|cer|csr|jks)$/;

function checkParses(project, report) {
  for (const path of project.paths(/\.json5?$/)) {
    try {
      JSON5.parse(project.text(path));
    } catch (error) {
      report(path, 'parse', error.message);
    }
  }
}

function checkSchemas(project, report) {
  for (const row of compiled) {
    for (const path of row.required) if (!project.has(path)) report(path, 'file-missing', 'DevEco cannot open the project without it');
  }
  for (const path of project.paths(/\.json5?$/)) {
    const row = compiled.find((candidate) => candidate.pattern.test(path));
    const content = project.json(path);
    if (row === undefined || content === undefined || row.validate(content)) continue;
    for (const error of row.validate.errors) {
      const detail = error.params.additionalProperty ?? error.params.allowedValues ?? error.params.allowedValue ?? '';
      report(path, 'schema', `${error.instancePath || '/'} ${error.message} ${detail}`.trim());
    }
  }
}

function checkVersions(project, report) {
  const hvigor = project.json('hvigor/hvigor-config.json5')?.modelVersion;
  const root = project.json('oh-package.json5')?.modelVersion;
  if (hvigor !== root) report('oh-package.json5', 'model-version', `${root} differs from ${hvigor} in hvigor-config.json5 (hvigor 00303027)`);
  const level = (version) => Number(/\((\d+)\)$/.exec(version ?? '')?.[1]);
  for (const product of project.json('build-profile.json5')?.app?.products ?? []) {
    if (product.targetSdkVersion !== undefined && level(product.compatibleSdkVersion) > level(product.targetSdkVersion)) {
      report('build-profile.json5', 'sdk-order', `product ${product.name}: compatible is above target (hvigor 00303015)`);
    }
  }
}

function checkModules(project, report) {
  for (const { name, folder } of project.modules()) {
    const own = project.json(`${folder}/src/main/module.json5`)?.module;
    if (own === undefined) {
      report('build-profile.json5', 'module-folder', `module ${name}: ${folder}/src/main/module.json5 does not exist`);
      continue;
    }
    if (own.name !== name) report('build-profile.json5', 'module-name', `${name} is called ${own.name} in its module.json5 (hvigor 00303053)`);
    const main = project.json(`${folder}/oh-package.json5`)?.main;
    if (own.type === 'har' && !project.has(`${folder}/${main}`)) report(`${folder}/oh-package.json5`, 'main', `main names ${main}, which does not exist`);
    const dependencies = project.json(`${folder}/oh-package.json5`)?.dependencies ?? {};
    for (const [key, target] of Object.entries(dependencies)) {
      if (!String(target).startsWith('file:../')) continue;
      const other = project.json(`${target.slice('file:../'.length)}/oh-package.json5`)?.name;
      if (other !== key) report(`${folder}/oh-package.json5`, 'dependency-key', `${key} points at a package called ${other}: an error under useNormalizedOHMUrl`);
    }
    if (own.type === 'har' && Object.values(dependencies).some((target) => String(target).startsWith('file:'))) {
      report(`${folder}/oh-package.json5`, 'har-local-dependency', 'a library with a local dependency cannot be installed from a registry');
    }
  }
}

function checkHar(project, report) {
  for (const { folder } of project.modules().filter((module) => module.type === 'har')) {
    const own = project.json(`${folder}/src/main/module.json5`).module;
    if (own.pages !== undefined || project.paths(/\/main_pages\.json$/).some((path) => path.startsWith(`${folder}/src/main/`))) {
      report(`${folder}/src/main/module.json5`, 'har-pages', 'a HAR declares no pages');
    }
    for (const document of ['README.md', 'CHANGELOG.md', 'LICENSE']) {
      if ((project.text(`${folder}/${document}`) ?? '').trim() === '') report(`${folder}/${document}`, 'har-documents', 'is missing or empty: ohpm refuses to publish');
    }
    if (project.text(`${folder}/LICENSE`) !== project.text('LICENSE')) report(`${folder}/LICENSE`, 'har-documents', "differs from the repository's LICENSE");
    const readme = project.text(`${folder}/README.md`) ?? '';
    const name = project.json(`${folder}/oh-package.json5`)?.name;
    if (!readme.includes(`ohpm install ${name}`) || !readme.includes(`from '${name}'`)) {
      report(`${folder}/README.md`, 'har-documents', 'has to say how to install and how to import the package');
    }
  }
}

function checkEntryPoints(project, report) {
  for (const { folder } of project.modules()) {
    const own = project.json(`${folder}/src/main/module.json5`)?.module ?? {};
    const elements = [...(own.abilities ?? []), ...(own.extensionAbilities ?? [])];
    for (const element of elements) {
      const path = `${folder}/src/main/${String(element.srcEntry).replace(/^\.\//, '')}`;
      if (!project.has(path)) report(`${folder}/src/main/module.json5`, 'source-missing', `${element.name} names ${path}, which does not exist`);
    }
    if (own.mainElement !== undefined && !elements.some((element) => element.name === own.mainElement)) {
      report(`${folder}/src/main/module.json5`, 'main-element', `${own.mainElement} is no ability of this module`);
    }
    for (const page of project.json(`${folder}/src/main/resources/base/profile/main_pages.json`)?.src ?? []) {
      const path = `${folder}/src/main/ets/${page}.ets`;
      if (!project.has(path)) report(`${folder}/src/main/resources/base/profile/main_pages.json`, 'source-missing', `page ${page}: ${path} does not exist`);
      else if (!/@Entry\b/.test(project.text(path))) report(path, 'source-missing', 'is listed as a page but has no @Entry component');
    }
  }
}

function checkSigning(project, report) {
  const app = project.json('build-profile.json5')?.app ?? {};
  const configured = (app.signingConfigs ?? []).length > 0 || (app.products ?? []).some((product) => product.signingConfig !== undefined);
  if (configured) report('build-profile.json5', 'signing', 'holds a signing configuration: paths and passwords of one machine stay out of the repository');
  for (const path of [...project.files.keys(), ...project.tracked]) {
    if (SIGNING.test(path)) report(path, 'signing', 'signing material stays out of the repository');
  }
}

function checkGenerated(project, report) {
  for (const path of project.tracked) {
    if (GENERATED.test(path)) report(path, 'generated', 'is written by the tools on each machine and must not be committed');
  }
}

const RULES = [
  checkParses, checkSchemas, checkVersions, checkModules, checkHar, checkEntryPoints, checkSigning, checkGenerated,
  checkReferences, checkQualifiers, checkImages, checkLists, checkNames,
];

/** @returns {{ file: string, rule: string, message: string }[]} what DevEco, hvigor or the registry would stumble over. */
export function checkProject(project) {
  const findings = [];
  for (const rule of RULES) rule(project, (file, name, message) => findings.push({ file, rule: name, message }));
  return findings;
}

/** @returns exit code: 0 without findings. */
export function runProjectCheck(write = (line) => process.stdout.write(`${line}\n`)) {
  const project = ProjectFiles.read();
  const findings = checkProject(project);
  for (const { file, rule, message } of findings) write(`${file} ${rule} ${message}`);
  write(`Project check: ${project.files.size} files, ${RULES.length} checks, ${findings.length} findings`);
  return findings.length === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('check-project.mjs')) process.exitCode = runProjectCheck();
