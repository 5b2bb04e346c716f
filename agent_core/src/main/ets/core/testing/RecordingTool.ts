import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolCallScope } from '../tool/ToolCallScope';
import { ToolContext } from '../tool/ToolContext';
import { BaseToolExecutor } from '../tool/ToolExecutor';
import { ToolResult } from '../tool/ToolResult';
import { ToolServiceRegistry } from '../tool/ToolService';

/** One time that the tool was entered. */
export interface RecordedRun {
  argumentsJson: string;
  callId: string;
  attempt: number;
  idempotencyKey: string;
}

/** What the tool does once it is entered and counted. */
export type RecordedWork = (args: JsonObject, context: ToolContext) => Promise<ToolResult>;

/** A tool that remembers how often it ran and with what; answers "done" unless a test gives it work. */
export class RecordingTool extends BaseToolExecutor {
  readonly runs: RecordedRun[] = [];
  work: RecordedWork | undefined = undefined;
  private readonly codec: JsonCodec = new JsonCodec();

  /** How often the executor was entered. */
  get count(): number {
    return this.runs.length;
  }

  /** Distinct idempotency keys: how many effects a world that deduplicates would have seen. */
  get effects(): number {
    return new Set<string>(this.runs.map<string>((run: RecordedRun) => run.idempotencyKey)).size;
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const scope: ToolCallScope | undefined =
      context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope | undefined;
    const run: RecordedRun = {
      argumentsJson: this.codec.stringify(JsonValue.object(args)).value, callId: scope?.callId ?? '',
      attempt: scope?.attempt ?? 0, idempotencyKey: scope?.idempotencyKey ?? ''
    };
    this.runs.push(run);
    return this.work === undefined ? ToolResult.text('done') : this.work(args, context);
  }
}
