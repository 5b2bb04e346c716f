import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const core = fileURLToPath(new URL('../../agent_core/src/main/ets/core/', import.meta.url));
const bundled = new URL('../../dist/core.mjs', import.meta.url);

/** The built core when it is there, else the JSON files bundled on the fly. */
async function load() {
  if (existsSync(bundled)) {
    const built = await import(bundled.href);
    if (built.JsonCodec !== undefined && built.JsonObject !== undefined) return built;
  }
  const entry = ['JsonCodec', 'JsonObject', 'JsonValue'].map((name) => `export * from './json/${name}';`).join('\n');
  const out = await build({
    stdin: { contents: entry, resolveDir: core, loader: 'ts' },
    bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'es2022',
  });
  return import(`data:text/javascript;base64,${Buffer.from(out.outputFiles[0].text).toString('base64')}`);
}

/** Median microseconds of one call. */
function time(work, rounds, inner = 1) {
  for (let i = 0; i < 5; i++) for (let k = 0; k < inner; k++) work();
  const taken = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    for (let k = 0; k < inner; k++) work();
    taken.push((performance.now() - start) * 1000 / inner);
  }
  taken.sort((a, b) => a - b);
  return taken[rounds >> 1];
}

/** Alternates both, so that a busy machine disturbs them alike; the ratio of the medians. */
function ratio(work, base, rounds) {
  for (let i = 0; i < 5; i++) { work(); base(); }
  const ours = [];
  const theirs = [];
  for (let i = 0; i < rounds; i++) {
    const a = performance.now();
    work();
    const b = performance.now();
    base();
    ours.push(b - a);
    theirs.push(performance.now() - b);
  }
  ours.sort((x, y) => x - y);
  theirs.sort((x, y) => x - y);
  return ours[rounds >> 1] / theirs[rounds >> 1];
}

function documents() {
  const records = [];
  for (let i = 0; i < 6000; i++) {
    records.push({ id: i, name: `user ${i}`, email: `u${i}@example.org`, tags: ['a', 'bb', 'ccc'],
      nested: { x: i * 1.5, y: true, z: null }, text: `lorem ipsum dolor sit amet ${i}` });
  }
  const flat = { wanted: 'x' };
  for (let i = 0; i < 30000; i++) flat[`key_${i}`] = `value number ${i}`;
  const text = JSON.stringify({ wanted: 'x', records });
  return [
    ['records', text],
    ['flat', JSON.stringify(flat)],
    ['one string', JSON.stringify({ wanted: 'x', s: 'lorem ipsum dolor sit amet '.repeat(40000) })],
    ['escaped string', JSON.stringify({ wanted: 'x', s: text })],
    ['numbers', JSON.stringify({ wanted: 'x', v: Array.from({ length: 60000 }, (_, i) => Math.sin(i)) })],
  ];
}

function message({ JsonObject, JsonValue }) {
  const call = (n) => JsonValue.object(new JsonObject().setString('id', `call_${n}`).setString('name', 'read_file')
    .setString('argumentsJson', '{"path":"/notes/a.txt","limit":100}').setNumber('index', n));
  return new JsonObject().setString('id', 'msg-0001').setString('role', 'assistant')
    .setArray('contents', [JsonValue.object(new JsonObject().setString('kind', 'text').setString('text', 'Let me look at both files.'))])
    .setArray('toolCalls', [call(0), call(1)]).setNumber('createdAtMs', 1700000000000);
}

export async function run() {
  const core = await load();
  const codec = new core.JsonCodec();
  const lines = [];
  for (const [name, text] of documents()) {
    const read = () => codec.parseObject(text).value.getString('wanted');
    if (read() !== 'x') throw new Error('the key was not read');
    lines.push({ name: `JSON-07 one key of 1 MB (${name}), against JSON.parse`, value: ratio(read, () => JSON.parse(text), 31), unit: 'x' });
  }
  const args = '{"path":"/home/user/a.txt","content":"hello world","n":3,"deep":{"a":[1,2,3]}}';
  const chunk = '{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}]}';
  const readChunk = () => codec.parseObject(chunk).value.getArray('choices')[0].asObject().getObject('delta').getString('content');
  const parsed = codec.parse(args).value;
  const built = message(core);
  const stored = codec.stringifyObject(built).value;
  lines.push({ name: 'JSON.parse of a stream chunk', value: time(() => JSON.parse(chunk), 31, 1000), unit: 'us' });
  lines.push({ name: 'parse a stream chunk and read its text', value: time(readChunk, 31, 1000), unit: 'us' });
  lines.push({ name: 'parse tool arguments', value: time(() => codec.parseObjectExact(args).value, 31, 1000), unit: 'us' });
  lines.push({ name: 'canonicalize tool arguments', value: time(() => codec.canonicalize(parsed).value, 31, 1000), unit: 'us' });
  lines.push({ name: 'build a message with two calls', value: time(() => message(core), 31, 1000), unit: 'us' });
  lines.push({ name: 'write a built message', value: time(() => codec.stringifyObject(built).value, 31, 1000), unit: 'us' });
  lines.push({ name: 'build and write a message', value: time(() => codec.stringifyObject(message(core)).value, 31, 1000), unit: 'us' });
  lines.push({ name: 'JSON.stringify of the same message', value: time(((m) => () => JSON.stringify(m))(JSON.parse(stored)), 31, 1000), unit: 'us' });
  const ids = JSON.stringify(Object.fromEntries(Array.from({ length: 20000 }, (_, i) => [String(i), { name: `user ${i}` }])));
  lines.push({ name: 'own parser (integer-like keys), against JSON.parse', value: ratio(() => codec.parse(ids).value, () => JSON.parse(ids), 11), unit: 'x' });
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const line of await run()) console.log(`${line.value.toFixed(2).padStart(10)} ${line.unit.padEnd(3)} ${line.name}`);
}
