import { readFileSync } from 'node:fs';
import JSON5 from 'json5';
import { repositoryRoot } from './sdk.mjs';

/** The API level in build-profile.json5: "5.0.0(12)" promises 12. */
export function compatibleApiLevel() {
  const profile = JSON5.parse(readFileSync(`${repositoryRoot}/build-profile.json5`, 'utf8'));
  const version = profile.app.products.find((product) => product.name === 'default').compatibleSdkVersion;
  return Number(/\((\d+)\)$/.exec(version)[1]);
}
