const MAX_NAME_CHARS: number = 128;
const NEEDS_QUOTES: RegExp = new RegExp('[\\s.\\[\\]"\'\\\\\\u0000-\\u001f]');
const LONE_SURROGATE: RegExp = new RegExp('[\\ud800-\\udfff]', 'u');

/** Text of places in schemas and arguments: `$.items[0].name`, `$["odd name"]`. Names are cut to 128 characters. */
export class SchemaPath {
  static readonly ROOT: string = '$';

  static member(parent: string, name: string): string {
    const shown: string = SchemaPath.shown(name);
    return shown === '' || NEEDS_QUOTES.test(shown) ? `${parent}[${JSON.stringify(shown)}]` : `${parent}.${shown}`;
  }

  static element(parent: string, index: number): string {
    return `${parent}[${index}]`;
  }

  /** A name as it may stand in a message: a model or a server can make it as long as it likes. */
  static shown(name: string): string {
    return name.length > MAX_NAME_CHARS ? `${name.substring(0, MAX_NAME_CHARS)}…` : name;
  }

  /** False for a name with half a surrogate pair: it has no UTF-8 form, so it could be neither sent nor hashed. */
  static isWellFormed(name: string): boolean {
    return !LONE_SURROGATE.test(name);
  }
}
