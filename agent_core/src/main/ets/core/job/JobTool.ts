import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { JsonCodec } from '../json/JsonCodec';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';
import { ToolContext } from '../tool/ToolContext';
import { ToolContract, ToolEffect } from '../tool/ToolContract';
import { BaseToolExecutor } from '../tool/ToolExecutor';
import { ToolResult } from '../tool/ToolResult';
import { Job } from './Job';
import { JobDesk } from './JobDesk';

/** What the tools that look after jobs have in common: they are safe, answer in JSON and know only this session's jobs. */
export abstract class JobTool extends BaseToolExecutor {
  protected readonly desk: JobDesk;
  private readonly codec: JsonCodec = new JsonCodec();

  constructor(desk: JobDesk) {
    super();
    this.desk = desk;
  }

  abstract definition(): ToolDefinition;

  contract(): ToolContract {
    const contract: ToolContract = { effect: ToolEffect.none, idempotent: true, concurrencySafe: true, pollable: true };
    return contract;
  }

  /** @throws ArkAgentError job_not_found: fed back to the model */
  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    if (this.desk.sessionId !== context.sessionId) {
      throw ArkAgentError.of(ErrorCode.jobNotFound, 'this session has no jobs');
    }
    return ToolResult.text(this.codec.stringify(JsonValue.object(this.answer(args))).value);
  }

  protected abstract answer(args: JsonObject): JsonObject;

  /** Errors: job_not_found. */
  protected jobOf(args: JsonObject): Job {
    const jobId: string = args.getString('jobId') ?? '';
    const job: Job | undefined = this.desk.find(jobId);
    if (job === undefined) {
      throw ArkAgentError.of(ErrorCode.jobNotFound, 'there is no job with this jobId; job_status without one lists them');
    }
    return job;
  }

  protected define(name: string, description: string, properties: JsonObject, required: ReadonlyArray<string>): ToolDefinition {
    const parameters: JsonObject = typed('object').setObject('properties', properties);
    if (required.length > 0) {
      parameters.set('required', JsonValue.strings(required));
    }
    return new ToolDefinition(name, description, parameters, ToolRiskLevel.safe);
  }
}

/** A schema of one type. */
export function typed(type: string): JsonObject {
  return new JsonObject().setString('type', type);
}
