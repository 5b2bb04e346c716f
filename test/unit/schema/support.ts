import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baselineKeywords } from '@core/schema/BaselineKeywords';
import type { CompiledSchema } from '@core/schema/CompiledSchema';
import { SchemaCompiler } from '@core/schema/SchemaCompiler';
import { JsonCodec } from '@core/json/JsonCodec';
import type { JsonObject } from '@core/json/JsonObject';

const codec = new JsonCodec();

/** Data that is not part of the repository and lies beside it. */
export const sharedData = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
export const hasSharedData = existsSync(sharedData);

export function parse(text: string): JsonObject {
  return codec.parseObject(text).value;
}

export function json(native: object): JsonObject {
  return parse(JSON.stringify(native));
}

export function isJsonObject(native: unknown): native is Record<string, unknown> {
  return typeof native === 'object' && native !== null && !Array.isArray(native);
}

/**
 * A schema object somewhere in the tree says nothing about its type. JSON Schema accepts every value there; the baseline
 * wants to be told (schema_type_missing).
 */
export function lacksType(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const inner = [...Object.values(isJsonObject(schema.properties) ? schema.properties : {}), schema.items];
  return schema.type === undefined || inner.some((child) => child !== undefined && lacksType(child));
}

export const baseline = new SchemaCompiler(baselineKeywords());

export function compile(schema: object): CompiledSchema {
  return baseline.compile(json(schema)).value;
}

/** `code path` of a refused schema, or `ok`. */
export function refusal(schema: object | JsonObject): string {
  const compiled = baseline.compile('getObject' in schema ? (schema as JsonObject) : json(schema));
  return compiled.ok ? 'ok' : `${compiled.error.code} ${String(compiled.error.details?.get('path'))}`;
}

export function messages(schema: object, args: object): string[] {
  return compile(schema).check(json(args)).map((issue) => issue.message);
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(sharedData + path, 'utf8')) as T;
}

export function readLines<T>(path: string): T[] {
  return readFileSync(sharedData + path, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

export function filesBelow(folder: string): string[] {
  return readdirSync(sharedData + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(sharedData.length))
    .sort();
}
