import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';
import { ToolContext } from '../tool/ToolContext';
import { ToolContract, ToolEffect } from '../tool/ToolContract';
import { BaseToolExecutor } from '../tool/ToolExecutor';
import { ToolResult } from '../tool/ToolResult';
import { Plan, PlanPhase } from './Plan';
import { PlanBook } from './PlanBook';
import { PlanTodo } from './PlanTodo';
import { PlanWords } from './PlanWords';
import { TodoReader } from './TodoReader';

/** The planner's tool: replaces the plan, and in plan-first mode hands it to the person. */
export class WriteTodosTool extends BaseToolExecutor {
  static readonly NAME: string = 'write_todos';
  private readonly book: PlanBook;
  private readonly planFirst: boolean;
  private readonly words: PlanWords;

  constructor(book: PlanBook, planFirst: boolean, words: PlanWords) {
    super();
    this.book = book;
    this.planFirst = planFirst;
    this.words = words;
  }

  definition(): ToolDefinition {
    const step: JsonObject = typed('object')
      .setObject('properties', new JsonObject().setObject('id', typed('string')).setObject('content', typed('string'))
        .setObject('status', typed('string').setString('description', 'pending, in_progress, completed or cancelled')))
      .set('required', JsonValue.strings(['content', 'status']));
    const properties: JsonObject = new JsonObject().setObject('todos', typed('array').setObject('items', step));
    if (this.planFirst) {
      properties.setObject('ready_for_review', typed('boolean'));
    }
    const parameters: JsonObject = typed('object').setObject('properties', properties)
      .set('required', JsonValue.strings(['todos']));
    return new ToolDefinition(WriteTodosTool.NAME, this.words.description + (this.planFirst ? this.words.planFirst : ''),
      parameters, ToolRiskLevel.safe);
  }

  contract(): ToolContract {
    const contract: ToolContract = { effect: ToolEffect.none, idempotent: true };
    return contract;
  }

  /** @throws ArkAgentError plan_todo_status_unknown, plan_invalid: fed back to the model */
  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    if (this.book.sessionId !== context.sessionId) {
      throw invalid('this session keeps no plan');
    }
    if (this.book.foreign) {
      throw invalid('the plan was written by a newer version of the app and cannot be changed here');
    }
    const todos: Result<ReadonlyArray<PlanTodo>, ArkAgentError> = TodoReader.read(args.getArray('todos') ?? []);
    if (!todos.ok) {
      throw todos.error;
    }
    const ready: boolean = args.getBoolean('ready_for_review') ?? false;
    if (ready && this.planFirst) {
      return this.handIn(todos.value);
    }
    return this.save(todos.value, ready);
  }

  private save(todos: ReadonlyArray<PlanTodo>, ready: boolean): ToolResult {
    const plan: Plan = this.book.plan;
    if (plan.isInReviewOf(this.book.runId)) {
      throw invalid('the plan waits for the person and cannot be changed now');
    }
    if (!plan.hasSameTodos(todos)) {
      this.book.keep(plan.withTodos(todos));
      this.book.announce();
    }
    return ToolResult.text(ready ? this.words.reviewNotNeeded : this.words.saved);
  }

  /** What is shown to the person is what was handed in: a second plan of the same turn is refused, the same one is the same request. */
  private handIn(todos: ReadonlyArray<PlanTodo>): ToolResult {
    if (todos.length === 0) {
      throw invalid('an empty plan cannot be reviewed');
    }
    const plan: Plan = this.book.plan;
    const runId: string = this.book.runId;
    const changed: boolean = !plan.hasSameTodos(todos);
    if (changed && plan.isInReviewOf(runId)) {
      throw invalid('another plan waits for the person already');
    }
    this.book.keep(new Plan(todos, PlanPhase.review, runId));
    this.book.requestReview();
    if (changed) {
      this.book.announce();
    }
    return ToolResult.text(this.words.sentForReview);
  }
}

function typed(type: string): JsonObject {
  return new JsonObject().setString('type', type);
}

function invalid(message: string): ArkAgentError {
  return ArkAgentError.of(ErrorCode.planInvalid, message);
}
