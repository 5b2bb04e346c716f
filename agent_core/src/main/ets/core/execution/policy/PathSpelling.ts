import { Utf8Length } from '../../state/file/Utf8Length';
import { PathEscapes } from './PathEscapes';
import { PathFault } from './PathFault';

/** What the spelling of a path is measured by. */
export interface PathSpellingOptions {
  /** Refuse names that end with a dot, because the system drops it. */
  refuseTrailingDots: boolean;
}

/** UTF-8 bytes that common systems allow: PATH_MAX and NAME_MAX. */
const MAX_PATH_BYTES: number = 4095;
const MAX_NAME_BYTES: number = 255;
const DEVICE_NAMES: ReadonlySet<string> = new Set<string>(['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$', 'CLOCK$']);
const SLASH_LIKE: string = '\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c';
const INVISIBLE: string = '\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff';
const PERCENT_NAME: RegExp = new RegExp('%(?![0-9A-Fa-f]{2}%)[A-Za-z_][A-Za-z0-9_()]*%');
const DOLLAR_NAME: RegExp = new RegExp('(^|/)\\$[A-Za-z_]');

/**
 * The first half of a path check: the text alone, without the file system. Refuses every form that two programs could read in
 * two ways; what passes is plain names joined with `/`.
 */
export class PathSpelling {
  /** @returns undefined when the spelling is plain. */
  static check(path: string, options: PathSpellingOptions): PathFault | undefined {
    if (typeof path !== 'string' || path === '') {
      return PathFault.malformed;
    }
    if (path.length > MAX_PATH_BYTES || Utf8Length.of(path) > MAX_PATH_BYTES) {
      return PathFault.tooLong;
    }
    const fault: PathFault | undefined = checkCharacters(path) ?? checkExpansion(path);
    if (fault !== undefined) {
      return fault;
    }
    if (path.startsWith('//')) {
      return PathFault.windowsForm;
    }
    for (const name of path.split('/')) {
      const wrong: PathFault | undefined = checkName(name, options);
      if (wrong !== undefined) {
        return wrong;
      }
    }
    return PathEscapes.isSuspicious(path) ? PathFault.encoded : undefined;
  }

  /** The names of a plain path, without empty and `.` segments. */
  static names(path: string): string[] {
    return path.split('/').filter((name: string) => name !== '' && name !== '.');
  }
}

function checkCharacters(path: string): PathFault | undefined {
  for (let i: number = 0; i < path.length; i++) {
    const code: number = path.charCodeAt(i);
    if (code >= 0x20 && code < 0x7f) {
      if (code === 0x5c || code === 0x3a) {
        return PathFault.windowsForm;
      }
      continue;
    }
    if (code < 0xa0 || code === 0x2028 || code === 0x2029) {
      return PathFault.control;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const next: number = path.charCodeAt(i + 1);
      if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) {
        return PathFault.malformed;
      }
      i++;
      continue;
    }
    const character: string = path.charAt(i);
    if (SLASH_LIKE.includes(character)) {
      return PathFault.lookAlike;
    }
    if (INVISIBLE.includes(character)) {
      return PathFault.invisible;
    }
  }
  return undefined;
}

/** `~`, `$NAME`, `${NAME}`, `$(command)` and `%NAME%`: nothing here expands them, but a shell behind a tool would. */
function checkExpansion(path: string): PathFault | undefined {
  if (path.startsWith('~') || path.includes('${') || path.includes('$(') || PERCENT_NAME.test(path) || DOLLAR_NAME.test(path)) {
    return PathFault.expansion;
  }
  return undefined;
}

function checkName(name: string, options: PathSpellingOptions): PathFault | undefined {
  if (name === '' || name === '.') {
    return undefined;
  }
  if (name === '..') {
    return PathFault.parentSegment;
  }
  if (name.length > MAX_NAME_BYTES || Utf8Length.of(name) > MAX_NAME_BYTES) {
    return PathFault.tooLong;
  }
  const last: string = name.charAt(name.length - 1);
  if (last === ' ' || (last === '.' && options.refuseTrailingDots) || isDevice(name)) {
    return PathFault.windowsForm;
  }
  return isAscii(name) ? undefined : checkFolded(name);
}

/** What the name would be after compatibility normalisation, which some systems and programs do. */
function checkFolded(name: string): PathFault | undefined {
  let folded: string = '';
  for (const character of name.normalize('NFKC')) {
    if (character !== '\u200c' && character !== '\u200d') {
      folded += character;
    }
  }
  if (folded === '.' || folded === '..' || folded === '' || folded.includes('/') || folded.includes('\\')) {
    return PathFault.lookAlike;
  }
  return isDevice(folded) ? PathFault.windowsForm : undefined;
}

/** CON, NUL, COM1 …, with any extension and letter case. */
function isDevice(name: string): boolean {
  const dot: number = name.indexOf('.');
  const stem: string = (dot < 0 ? name : name.substring(0, dot)).trim().toUpperCase();
  if (DEVICE_NAMES.has(stem)) {
    return true;
  }
  return stem.length === 4 && (stem.startsWith('COM') || stem.startsWith('LPT')) && '0123456789\u00b9\u00b2\u00b3'.includes(stem.charAt(3));
}

function isAscii(text: string): boolean {
  for (let i: number = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) {
      return false;
    }
  }
  return true;
}
