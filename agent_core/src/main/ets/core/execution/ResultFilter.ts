import { ContentKind, ContentPart } from '../message/ContentPart';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolResult } from '../tool/ToolResult';

/**
 * One step that every result passes before anybody sees it: redaction, then the size limit (step 7).
 *
 * Contract: pure, must not throw; a throw withholds the result.
 */
export interface ResultFilter {
  apply(result: ToolResult, tool: RegisteredTool): ToolResult;
}

/** Cuts text that is longer than the tool's `maxResultChars`, between code points, and says how much there was. */
export class ResultLimiter implements ResultFilter {
  apply(result: ToolResult, tool: RegisteredTool): ToolResult {
    const limit: number = tool.contract.maxResultChars;
    let total: number = 0;
    for (const part of result.contents) {
      total += part.asText()?.length ?? 0;
    }
    if (total <= limit) {
      return result;
    }
    const kept: ContentPart[] = [];
    let left: number = limit;
    for (const part of result.contents) {
      if (part.kind !== ContentKind.text) {
        kept.push(part);
        continue;
      }
      const text: string = part.asText() ?? '';
      const piece: string = cutAtCodePoint(text, left);
      left -= piece.length;
      if (piece !== '') {
        kept.push(ContentPart.text(piece));
      }
    }
    kept.push(ContentPart.text(`[cut: ${limit - left} of ${total} characters shown]`));
    return new ToolResult(kept, result.isError, result.stopFlag, result.metadata);
  }
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
