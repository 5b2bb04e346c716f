/** Controls, invisible characters and those that turn the direction of writing: what a person would not see as it is. */
const UNSEEN: RegExp = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]', 'g');
const TAGS: RegExp = new RegExp('[\\u{e0000}-\\u{e0fff}]', 'gu');
const LONE_SURROGATE: RegExp = new RegExp('[\\ud800-\\udfff]', 'gu');
const BREAKS: RegExp = new RegExp('[\\s]+', 'g');

/** Text that a server or a file wrote, made fit for a log, a card and a model: bounded, and without hidden characters. */
export class ForeignText {
  /**
   * Line feeds and tabs stay.
   *
   * @param maxChars UTF-16 code units; what is longer is cut and ends with `…`
   */
  static block(text: string, maxChars: number): string {
    const clean: string = text.replace(UNSEEN, '').replace(TAGS, '').replace(LONE_SURROGATE, '');
    if (clean.length <= maxChars) {
      return clean;
    }
    const end: number = Math.max(0, maxChars - 1);
    const code: number = end === 0 ? 0 : clean.charCodeAt(end - 1);
    return `${clean.substring(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`;
  }

  /** As `block`, in one line. */
  static line(text: string, maxChars: number): string {
    return ForeignText.block(text.replace(BREAKS, ' '), maxChars);
  }
}
