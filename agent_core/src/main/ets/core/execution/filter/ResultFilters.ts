import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCatalog } from '../../base/ErrorCatalog';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentMessage, AgentMessageInit } from '../../message/AgentMessage';
import { ContentPart } from '../../message/ContentPart';
import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { ResultFilter, cutAtCodePoint } from './ResultFilter';
import { SoundResult } from './SoundResult';

/** Longest message of a tool's error that is handed on; UTF-16 code units. */
const MAX_ERROR_CHARS: number = 500;

/** The filters in their order, closed on failure: a result that is none, or that a filter cannot handle, is withheld, not passed on raw. */
export class ResultFilters {
  private readonly filters: ReadonlyArray<ResultFilter>;

  /** @param filters redaction first, the size limit last */
  constructor(filters: ReadonlyArray<ResultFilter>) {
    this.filters = filters.slice();
  }

  apply(result: ToolResult, tool: RegisteredTool): ToolResult {
    return this.pass(result, tool) ?? withheld(result);
  }

  /**
   * What a tool answered, as the result of its call.
   * @param changes gets a word for each filter that changed something
   */
  applyToAnswer(result: ToolResult, tool: RegisteredTool, elapsedMs: number, changes?: string[]): CallResult {
    const passed: ToolResult | undefined = this.pass(result, tool, changes);
    if (passed === undefined) {
      return CallResult.of(ToolCallStatus.failed, ErrorCode.toolExecutionFailed, withheld(result), elapsedMs);
    }
    return CallResult.of(passed.isError ? ToolCallStatus.failed : ToolCallStatus.ok, '', passed, elapsedMs);
  }

  /** The error of a tool as a result; its message passes the filters like any other text and is shortened after them. */
  applyToError(error: ArkAgentError, tool: RegisteredTool, status: ToolCallStatus, elapsedMs: number,
    changes?: string[]): CallResult {
    const message: ToolResult = ToolResult.error(error.message);
    const filtered: ToolResult = this.pass(message, tool, changes) ?? withheld(message);
    const text: string = cutAtCodePoint(filtered.text(), MAX_ERROR_CHARS);
    const code: string = this.codeOf(error, tool);
    return CallResult.of(status, code, ToolResult.error(`${code}: ${text}`), elapsedMs);
  }

  /** A code that a tool made up is kept when no filter sees anything in it. */
  private codeOf(error: ArkAgentError, tool: RegisteredTool): string {
    const known: boolean = ErrorCatalog.find(error.code) !== undefined;
    return known || this.pass(ToolResult.text(error.code), tool)?.text() === error.code ? error.code : ErrorCode.toolExecutionFailed;
  }

  /** What a hook wants said after the batch: its text passes the filters too (DEC-35). */
  applyToMessage(message: AgentMessage, tool: RegisteredTool): AgentMessage {
    const init: AgentMessageInit = message.toInit();
    init.contents = this.apply(new ToolResult(message.contents), tool).contents;
    return new AgentMessage(init);
  }

  /** @returns undefined when a filter failed */
  private pass(result: ToolResult, tool: RegisteredTool, changes?: string[]): ToolResult | undefined {
    try {
      let filtered: ToolResult | undefined = SoundResult.of(result);
      if (filtered === undefined) {
        changes?.push('withheld');
        return undefined;
      }
      for (const filter of this.filters) {
        const next: ToolResult = filter.apply(filtered, tool);
        if (next !== filtered) {
          changes?.push(filter.change ?? 'filtered');
        }
        filtered = next;
      }
      return filtered;
    } catch (e) {
      changes?.push('withheld');
      return undefined;
    }
  }
}

function withheld(result: ToolResult): ToolResult {
  return new ToolResult([ContentPart.text(`${ErrorCode.toolExecutionFailed}: the result could not be filtered and is withheld`)],
    true, result.stopFlag);
}
