const LANGUAGE = /^[a-z]{2,3}(_[A-Z][a-z]{3})?(_[A-Z]{2})?$/;
const ELEMENT_KINDS = ['string', 'color', 'float', 'integer', 'boolean', 'plural', 'strarray'];

/** Resource folders that a file of this path may name: its module's own, then the app-wide one. A HAR sees only its own. */
export function resourceFoldersFor(path) {
  if (path.startsWith('AppScope/')) return ['AppScope/resources'];
  const module = path.split('/')[0];
  const own = path.includes('/src/ohosTest/') ? `${module}/src/ohosTest/resources` : `${module}/src/main/resources`;
  return module === 'agent_core' ? [own] : [own, `${module}/src/main/resources`, 'AppScope/resources'];
}

/** Names defined below one qualifier folder, as `string:app_name`. Duplicates stay in the list. */
export function definedNames(project, folder, qualifier) {
  const names = [];
  const base = `${folder}/${qualifier}/`;
  for (const path of project.files.keys()) {
    if (!path.startsWith(base)) continue;
    const [group, file] = path.slice(base.length).split('/');
    if (group === 'element') {
      const content = project.json(path) ?? {};
      for (const kind of ELEMENT_KINDS) {
        for (const entry of Array.isArray(content[kind]) ? content[kind] : []) names.push(`${kind}:${entry.name}`);
      }
    } else if (file !== undefined) {
      const name = `${group}:${file.replace(/\.[^.]+$/, '')}`;
      // An image and the json that layers it may not share a name either, but variants of one image by extension do not occur here.
      names.push(name);
    }
  }
  return names;
}

function qualifiersOf(project, folder) {
  const found = new Set();
  for (const path of project.files.keys()) {
    if (path.startsWith(`${folder}/`)) found.add(path.slice(folder.length + 1).split('/')[0]);
  }
  return [...found].filter((name) => name !== 'rawfile' && name !== 'resfile');
}

function resourceFolders(project) {
  return [...new Set([...project.files.keys()].map((path) => /^(.*?\/resources)\//.exec(path)?.[1]).filter(Boolean))];
}

/** Every `$kind:name` in configuration and `$r('app.kind.name')` in code names something that base defines. */
export function checkReferences(project, report) {
  for (const [path, text] of project.files) {
    const inCode = /\.(ets|ts)$/.test(path);
    if (!inCode && !/\.json5?$/.test(path)) continue;
    const pattern = inCode ? /\$r\(\s*['"]app\.(\w+)\.(\w+)['"]/g : /"\$(string|media|color|profile|float|boolean|integer|plural):(\w+)"/g;
    for (const match of text.matchAll(pattern)) {
      const wanted = `${match[1]}:${match[2]}`;
      const folders = resourceFoldersFor(path);
      if (folders.some((folder) => definedNames(project, folder, 'base').includes(wanted))) continue;
      report(path, 'resource-reference', `$${wanted} is not defined in ${folders.map((folder) => `${folder}/base`).join(' or ')}; the resource compiler stops`);
    }
  }
}

/** base holds every name, no name twice, and all languages hold the same names. */
export function checkQualifiers(project, report) {
  for (const folder of resourceFolders(project)) {
    const qualifiers = qualifiersOf(project, folder);
    const names = new Map(qualifiers.map((qualifier) => [qualifier, definedNames(project, folder, qualifier)]));
    const base = new Set(names.get('base') ?? []);
    for (const [qualifier, defined] of names) {
      const twice = defined.filter((name, index) => defined.indexOf(name) !== index);
      for (const name of twice) report(`${folder}/${qualifier}`, 'resource-twice', `${name} is defined twice`);
      for (const name of defined.filter((n) => !base.has(n))) {
        report(`${folder}/${qualifier}`, 'resource-without-base', `${name} has no base value: every other device shows nothing`);
      }
    }
    const languages = qualifiers.filter((qualifier) => LANGUAGE.test(qualifier) && qualifier !== 'base' && qualifier !== 'dark');
    const all = new Set(languages.flatMap((language) => names.get(language)));
    for (const language of languages) {
      for (const name of all) {
        if (!names.get(language).includes(name)) report(`${folder}/${language}`, 'language-keys', `${name} is missing, another language has it: the app would mix languages`);
      }
    }
  }
}

/** An image file holds an image, else the packer stops or the launcher shows nothing. */
export function checkImages(project, report) {
  for (const path of project.paths(/\/media\/[^/]+\.png$/)) {
    const data = project.text(path);
    const isPng = data.startsWith('\x89PNG\r\n\x1a\n') && data.slice(12, 16) === 'IHDR' && data.endsWith('IEND\xae\x42\x60\x82');
    if (!isPng) report(path, 'image', 'is not a complete PNG file');
  }
}
