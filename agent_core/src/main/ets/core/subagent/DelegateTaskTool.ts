import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { CallGates } from '../execution/prepare/CallGates';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';
import { ChildSessionExecutor } from '../tool/ChildSessionExecutor';
import { ToolContext } from '../tool/ToolContext';
import { ToolContract, ToolEffect } from '../tool/ToolContract';
import { ToolRegistration, ToolRegistry } from '../tool/ToolRegistry';
import { ToolResult } from '../tool/ToolResult';
import { ChildTasks } from './ChildTasks';
import { WorkerRules } from './SubAgentOptions';

/**
 * Gives a task to a worker. Safe by itself, because each call of the worker is asked about like any other; irreversible,
 * because what the worker did cannot be taken back.
 */
export class DelegateTaskTool extends ChildSessionExecutor {
  static readonly NAME: string = 'delegate_task';
  private readonly tasks: ChildTasks;

  private constructor(tasks: ChildTasks) {
    super();
    this.tasks = tasks;
  }

  static register(registry: ToolRegistry, tasks: ChildTasks, rules: WorkerRules): Result<boolean, ArkAgentError> {
    const parameters: JsonObject = new JsonObject().setString('type', 'object')
      .setObject('properties', new JsonObject().setObject('task',
        new JsonObject().setString('type', 'string').setString('description', 'The whole task, with everything needed to do it.')))
      .set('required', JsonValue.strings(['task']));
    const contract: ToolContract = {
      effect: ToolEffect.irreversible, timeoutMs: rules.timeoutMs, maxResultChars: rules.maxResultChars
    };
    const registration: ToolRegistration = {
      definition: new ToolDefinition(DelegateTaskTool.NAME, rules.description, parameters, ToolRiskLevel.safe),
      executor: new DelegateTaskTool(tasks), contract: contract, riskExempt: true
    };
    return CallGates.admit(registry, registration);
  }

  override execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    return this.tasks.work(args.getString('task') ?? '', context);
  }
}
