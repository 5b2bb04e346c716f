import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ArtifactRef, ArtifactStore } from '../../port/ArtifactStore';
import { LogLevel, Logger } from '../../port/Logger';
import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { EnvelopeArtifact } from '../../tool/ToolResultEnvelope';
import { ResultLimiter } from '../filter/ResultFilter';
import { ReadArtifactTool } from './ReadArtifactTool';
import { ResultBudget } from './ResultBudget';

/** Room for the mark behind a preview: `[cut: … characters shown; the full text is artifact …]`. */
const MARK_CHARS: number = 160;
/** A preview keeps at least this part of what it may take, however small that is. */
const LEAST_SHARE: number = 2;

/** What a sizer is made of. */
export interface ResultSizerParts {
  /** Undefined = what is too large is cut (DEC-41). */
  store?: ArtifactStore;
  logger: Logger;
  /** Told when a text was kept, before the result that names it is stored. */
  onKept?: () => void;
}

/**
 * Step 7 for size: what a call may bring into the conversation, and where the rest goes. The text was redacted before.
 *
 * A result that fits costs a count. A larger one is kept as an artifact and answered with its beginning and a reference; where
 * that fails or no store is set up, it is cut and says how long it was.
 */
export class ResultSizer {
  private readonly parts: ResultSizerParts;
  private readonly limiter: ResultLimiter = new ResultLimiter();

  constructor(parts: ResultSizerParts) {
    this.parts = parts;
  }

  /** True when nothing has to be done; the budget is charged then. */
  fits(result: CallResult, tool: RegisteredTool, budget: ResultBudget): boolean {
    if (result.artifact !== undefined) {
      return true;
    }
    const chars: number = ResultLimiter.total(this.limiter.texts(result.toToolResult()));
    if (chars > budget.allowance(tool.contract.maxResultChars)) {
      return false;
    }
    budget.spend(chars);
    return true;
  }

  /**
   * The result as it goes on.
   * @param changes gets `offloaded` or `limited`
   */
  async fit(sessionId: string, result: CallResult, tool: RegisteredTool, budget: ResultBudget,
    changes: string[]): Promise<CallResult> {
    const limit: number = budget.allowance(tool.contract.maxResultChars);
    const whole: ToolResult = result.toToolResult();
    // Charged before anything is awaited: neighbours may be measured meanwhile.
    budget.spend(limit);
    const kept: ArtifactRef | undefined =
      tool.definition.name === ReadArtifactTool.NAME ? undefined : await this.keep(sessionId, whole);
    if (kept === undefined) {
      changes.push('limited');
      return result.withToolResult(this.limiter.to(whole, limit));
    }
    changes.push('offloaded');
    const artifact: EnvelopeArtifact = { file: kept.id, chars: kept.chars, sha256: kept.sha256 };
    const room: number = Math.max(Math.floor(limit / LEAST_SHARE), limit - MARK_CHARS);
    return result.withArtifact(this.limiter.to(whole, limit < MARK_CHARS ? 0 : room,
      `the full text is artifact ${kept.id}, see ${ReadArtifactTool.NAME}`), artifact);
  }

  private async keep(sessionId: string, result: ToolResult): Promise<ArtifactRef | undefined> {
    const store: ArtifactStore | undefined = this.parts.store;
    if (store === undefined) {
      return undefined;
    }
    const text: string = this.limiter.texts(result).filter((part: string | undefined): boolean => part !== undefined).join('\n');
    try {
      const put: Result<ArtifactRef, ArkAgentError> = await store.put(sessionId, text);
      if (put.ok) {
        if (this.parts.onKept !== undefined) {
          this.parts.onKept();
        }
        return put.value;
      }
      this.failed(put.error.code);
    } catch (e) {
      this.failed(ErrorCode.artifactStoreFailed);
    }
    return undefined;
  }

  private failed(code: string): void {
    this.parts.logger.log(LogLevel.warn, 'arkagent', `a large result could not be kept and is cut instead (${code})`);
  }
}
