import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { PlanTodo, PlanTodoStatus } from './PlanTodo';

/** Reads the steps that a model or a file wrote, within bounds. */
export class TodoReader {
  static readonly MAX_TODOS: number = 100;
  /** UTF-16 code units of one step. */
  static readonly MAX_CONTENT_CHARS: number = 1000;
  /** UTF-16 code units of an id. */
  static readonly MAX_ID_CHARS: number = 64;

  /**
   * A step without an id is numbered by its place.
   * Errors: plan_todo_status_unknown, plan_invalid (too many, blank, too long, an id twice), with details.position from 1.
   */
  static read(items: ReadonlyArray<JsonValue>): Result<ReadonlyArray<PlanTodo>, ArkAgentError> {
    if (items.length > TodoReader.MAX_TODOS) {
      return TodoReader.refuse(ErrorCode.planInvalid, `a plan has at most ${TodoReader.MAX_TODOS} steps, this one ${items.length}`, 0);
    }
    const todos: PlanTodo[] = [];
    const ids: Set<string> = new Set<string>();
    for (let at: number = 0; at < items.length; at++) {
      const todo: Result<PlanTodo, ArkAgentError> = TodoReader.readOne(items[at].asObject(), at + 1);
      if (!todo.ok) {
        return todo.recast<ReadonlyArray<PlanTodo>>();
      }
      if (ids.has(todo.value.id)) {
        return TodoReader.refuse(ErrorCode.planInvalid, `two steps have the id "${todo.value.id}"`, at + 1);
      }
      ids.add(todo.value.id);
      todos.push(todo.value);
    }
    return Result.success<ReadonlyArray<PlanTodo>, ArkAgentError>(todos);
  }

  private static readOne(item: JsonObject | undefined, position: number): Result<PlanTodo, ArkAgentError> {
    const content: string = item?.getString('content')?.trim() ?? '';
    if (content === '' || content.length > TodoReader.MAX_CONTENT_CHARS) {
      return TodoReader.refuseOne(ErrorCode.planInvalid,
        `step ${position} needs 1 to ${TodoReader.MAX_CONTENT_CHARS} characters of content`, position);
    }
    const word: string = item?.getString('status') ?? '';
    const status: PlanTodoStatus | undefined = PlanTodo.statusOf(word);
    if (status === undefined) {
      return TodoReader.refuseOne(ErrorCode.planTodoStatusUnknown,
        `step ${position} has the status "${word.substring(0, 40)}"; known are pending, in_progress, completed, cancelled`, position);
    }
    const given: string = item?.getString('id')?.trim() ?? '';
    if (given.length > TodoReader.MAX_ID_CHARS) {
      return TodoReader.refuseOne(ErrorCode.planInvalid,
        `the id of step ${position} is longer than ${TodoReader.MAX_ID_CHARS} characters`, position);
    }
    return Result.success<PlanTodo, ArkAgentError>(new PlanTodo(given === '' ? `${position}` : given, content, status));
  }

  private static refuseOne(code: ErrorCode, message: string, position: number): Result<PlanTodo, ArkAgentError> {
    return Result.failure<PlanTodo, ArkAgentError>(ArkAgentError.of(code, message).withDetail('position', position));
  }

  private static refuse(code: ErrorCode, message: string,
    position: number): Result<ReadonlyArray<PlanTodo>, ArkAgentError> {
    return TodoReader.refuseOne(code, message, position).recast<ReadonlyArray<PlanTodo>>();
  }
}
