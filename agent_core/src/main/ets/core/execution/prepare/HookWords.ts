import { ErrorCode } from '../../base/ErrorCodes';
import { HookDenial } from '../../hook/HookDenial';
import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolResult } from '../../tool/ToolResult';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { CallRejection } from './CallRejection';
import { ResultLimiter } from '../filter/ResultFilter';
import { ResultFilters } from '../filter/ResultFilters';
import { SoundResult } from '../filter/SoundResult';
import { CallSecrets } from '../vault/CallSecrets';

/** UTF-16 code units of a denial's answer to a call of a tool that does not exist. */
const MAX_CHARS: number = 16000;

/** What hooks and policies say about a call, on its way to cards, events and the model: masked and limited like any result. */
export class HookWords {
  private readonly secrets: CallSecrets | undefined;
  private readonly filters: ResultFilters;
  private readonly limiter: ResultLimiter = new ResultLimiter();

  /** @param secrets undefined = nothing is masked */
  constructor(secrets: CallSecrets | undefined, filters: ResultFilters) {
    this.secrets = secrets;
    this.filters = filters;
  }

  text(text: string): string {
    return text === '' || this.secrets === undefined ? text : this.secrets.text(text);
  }

  texts(texts: ReadonlyArray<string>): ReadonlyArray<string> {
    return texts.length === 0 ? texts : texts.map<string>((text: string): string => this.text(text));
  }

  /** What the hook brought is told; the standard answer says who refused. */
  denied(denial: HookDenial, tool: RegisteredTool | undefined): CallResult {
    const brought: ToolResult | undefined = denial.syntheticResult;
    if (brought === undefined) {
      return CallRejection.of(this.secrets === undefined ? denial.toError() : this.secrets.clean(denial.toError()));
    }
    const told: ToolResult = tool === undefined ? this.ofNoTool(brought) : this.filters.apply(brought, tool);
    return CallResult.of(ToolCallStatus.rejected, ErrorCode.toolDenied, told, 0);
  }

  private ofNoTool(brought: ToolResult): ToolResult {
    const sound: ToolResult = SoundResult.of(brought) ?? ToolResult.error(`${ErrorCode.toolDenied}: refused by a hook`);
    return this.limiter.to(this.secrets?.result(sound) ?? sound, MAX_CHARS);
  }
}
