import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonValue } from '../../json/JsonValue';
import { ContentPart } from '../../message/ContentPart';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';

/**
 * One step that every result passes before anybody sees it: redaction, then the size limit (step 7).
 *
 * Contract: pure, must not throw; a throw withholds the result.
 */
export interface ResultFilter {
  /** What the audit calls a change by this filter: redacted, limited, offloaded … Default: filtered. */
  readonly change?: string;
  apply(result: ToolResult, tool: RegisteredTool): ToolResult;
}

/**
 * Cuts text that is longer than the tool's `maxResultChars`, between code points, and says how much there was. A json part
 * counts as its text and becomes text where it does not fit. What was cut once is not cut again.
 */
export class ResultLimiter implements ResultFilter {
  readonly change: string = 'limited';
  private readonly codec: JsonCodec = new JsonCodec();

  apply(result: ToolResult, tool: RegisteredTool): ToolResult {
    return this.to(result, tool.contract.maxResultChars);
  }

  /**
   * @param limit UTF-16 code units of text that may stay
   * @param hint added to the mark: where the rest is
   */
  to(result: ToolResult, limit: number, hint: string = ''): ToolResult {
    const texts: ReadonlyArray<string | undefined> = this.texts(result);
    const total: number = ResultLimiter.total(texts);
    const last: string = texts[texts.length - 1] ?? '';
    if (total <= limit || (MARKER.test(last) && total - last.length <= limit)) {
      return result;
    }
    return new ToolResult(cut(result.contents, texts, limit, total, hint), result.isError, result.stopFlag, result.metadata);
  }

  /** The text of each part; undefined for a part that has none. */
  texts(result: ToolResult): ReadonlyArray<string | undefined> {
    return result.contents.map<string | undefined>((part: ContentPart) => this.textOf(part));
  }

  static total(texts: ReadonlyArray<string | undefined>): number {
    let total: number = 0;
    for (const text of texts) {
      total += text?.length ?? 0;
    }
    return total;
  }

  private textOf(part: ContentPart): string | undefined {
    const json: JsonValue | undefined = part.asJson();
    if (json === undefined) {
      return part.asText();
    }
    const written: Result<string, ArkAgentError> = this.codec.stringify(json);
    if (!written.ok) {
      throw written.error;
    }
    return written.value;
  }
}

/** What the limiter appends; a result that ends with it was cut already. */
const MARKER: RegExp = new RegExp('^\\[cut: [0-9]+ of [0-9]+ characters shown(?:; [ -Z^-~]{1,120})?\\]$');

function cut(parts: ReadonlyArray<ContentPart>, texts: ReadonlyArray<string | undefined>, limit: number,
  total: number, hint: string): ContentPart[] {
  const kept: ContentPart[] = [];
  let shown: number = 0;
  let full: boolean = false;
  for (let i: number = 0; i < parts.length; i++) {
    const text: string | undefined = texts[i];
    if (text === undefined) {
      kept.push(parts[i]);
      continue;
    }
    if (full) {
      continue;
    }
    const piece: string = cutAtCodePoint(text, limit - shown);
    full = piece.length < text.length;
    shown += piece.length;
    if (!full) {
      kept.push(parts[i]);
    } else if (piece !== '') {
      kept.push(ContentPart.text(piece));
    }
  }
  kept.push(ContentPart.text(`[cut: ${shown} of ${total} characters shown${hint === '' ? '' : `; ${hint}`}]`));
  return kept;
}

/** The first `limit` UTF-16 code units, or one less where that would cut a surrogate pair. */
export function cutAtCodePoint(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const last: number = limit > 0 ? text.charCodeAt(limit - 1) : 0;
  const cutsPair: boolean = last >= 0xD800 && last <= 0xDBFF;
  return text.substring(0, cutsPair ? limit - 1 : limit);
}
