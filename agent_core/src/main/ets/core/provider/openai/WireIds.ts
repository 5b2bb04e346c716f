import { WireIdRule } from './OpenAiDialect';

const DIGITS: string = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Call ids as an API takes them. A pure function of id and rule, so that a call and its result agree without a table, in every turn.
 *
 * An id that a rule refuses keeps what can stay and gets a mark made from the whole id, so that `a#2` and `a_2` stay two.
 */
export class WireIds {
  static map(id: string, rule: WireIdRule): string {
    if (rule === WireIdRule.nine) {
      return /^[A-Za-z0-9]{9}$/.test(id) ? id : WireIds.mark(id, 9);
    }
    const lenient: boolean = rule === WireIdRule.lenient;
    const longest: number = lenient ? 64 : 40;
    const kept: string = lenient ? id.replace(/[^A-Za-z0-9_.:-]/g, '_') : id.replace(/[^A-Za-z0-9_-]/g, '_');
    if (kept === id && id.length <= longest) {
      return id;
    }
    return `${kept.substring(0, longest - 10)}_${WireIds.mark(id, 9)}`;
  }

  /** Letters and digits from two 32-bit hashes (FNV-1a forwards and backwards); equal ids give equal marks. */
  private static mark(id: string, length: number): string {
    let forwards: number = 0x811C9DC5;
    let backwards: number = 0x2F0B4C47;
    for (let at: number = 0; at < id.length; at++) {
      forwards = Math.imul(forwards ^ id.charCodeAt(at), 0x01000193) >>> 0;
      backwards = Math.imul(backwards ^ id.charCodeAt(id.length - 1 - at), 0x01000193) >>> 0;
    }
    let mark: string = '';
    for (let place: number = 0; place < length; place++) {
      const first: boolean = place < 5;
      const source: number = first ? forwards : backwards;
      mark += DIGITS.charAt(source % 62);
      if (first) {
        forwards = Math.floor(source / 62);
      } else {
        backwards = Math.floor(source / 62);
      }
    }
    return mark;
  }
}
