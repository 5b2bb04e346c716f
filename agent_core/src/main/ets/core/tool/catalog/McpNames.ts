/** Of `server__tool`; a name has at most 64 characters. */
const SERVER_CHARS: number = 24;
const MAX_CHARS: number = 64;
const JOINT: string = '__';
const UNSAFE: RegExp = new RegExp('[^A-Za-z0-9_-]+', 'g');
const JOINTS: RegExp = new RegExp('_{2,}', 'g');
const EDGES: RegExp = new RegExp('^_+|_+$', 'g');
const HASH_CHARS: number = 8;

/**
 * Names for the tools of an MCP server that every provider takes: `server__tool`.
 *
 * A name depends on the server's name and the tool's own and on nothing else, neither order nor neighbours, so that it is the
 * same after every start. What had to be changed ends with a hash of what it was, so that `a.b` and `a_b` stay two names.
 */
export class McpNames {
  private readonly prefix: string;

  constructor(server: string) {
    this.prefix = `${fitted(server, SERVER_CHARS, 'server')}${JOINT}`;
  }

  of(toolName: string): string {
    return this.prefix + kept(toolName, MAX_CHARS - this.prefix.length, 'tool');
  }
}

/** A server's part holds no joint and no `_` at its ends, so that the joint can be found again. */
function fitted(name: string, room: number, fallback: string): string {
  const safe: string = name.replace(UNSAFE, '_').replace(JOINTS, '_').replace(EDGES, '');
  return safe === name && name !== '' && name.length <= room ? name : marked(safe, name, room, fallback);
}

function kept(name: string, room: number, fallback: string): string {
  const safe: string = name.replace(UNSAFE, '_');
  return safe === name && name !== '' && name.length <= room ? name : marked(safe.replace(EDGES, ''), name, room, fallback);
}

function marked(safe: string, original: string, room: number, fallback: string): string {
  const readable: string = (safe === '' ? fallback : safe).substring(0, room - HASH_CHARS - 1).replace(EDGES, '');
  return `${readable}_${hash(original)}`;
}

/** FNV-1a over UTF-16 code units, 32 bits: tells names apart and protects nothing. */
function hash(text: string): string {
  let value: number = 0x811c9dc5;
  for (let i: number = 0; i < text.length; i++) {
    const code: number = text.charCodeAt(i);
    value = Math.imul(value ^ (code & 0xff), 0x01000193);
    value = Math.imul(value ^ (code >>> 8), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(HASH_CHARS, '0');
}
