import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { ContentPart } from '../message/ContentPart';
import { CallResult } from '../state/CallResult';
import { RegisteredTool } from '../tool/RegisteredTool';
import { ToolResult } from '../tool/ToolResult';
import { ToolCallStatus } from '../tool/ToolResultEnvelope';
import { ResultFilter } from './ResultFilter';

/** The filters in their order, closed on failure: a result that a filter cannot handle is withheld, not passed on raw. */
export class ResultFilters {
  private readonly filters: ReadonlyArray<ResultFilter>;

  /** @param filters redaction first, the size limit last */
  constructor(filters: ReadonlyArray<ResultFilter>) {
    this.filters = filters.slice();
  }

  apply(result: ToolResult, tool: RegisteredTool): ToolResult {
    try {
      let filtered: ToolResult = result;
      for (const filter of this.filters) {
        filtered = filter.apply(filtered, tool);
      }
      return filtered;
    } catch (e) {
      return new ToolResult([ContentPart.text(`${ErrorCode.toolExecutionFailed}: the result could not be filtered and is withheld`)],
        true, result.stopFlag);
    }
  }

  /** The error of a tool as a result; its message passes the filters like any other text. */
  applyToError(error: ArkAgentError, tool: RegisteredTool, status: ToolCallStatus, elapsedMs: number): CallResult {
    const filtered: ToolResult = this.apply(ToolResult.error(`${error.code}: ${error.message}`), tool);
    return CallResult.of(status, error.code, filtered, elapsedMs);
  }
}
