import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { PlanTodo } from './PlanTodo';
import { TodoReader } from './TodoReader';

/** Where a plan stands with the person. The words are stored. */
export enum PlanPhase {
  /** Nobody was asked. */
  draft = 'draft',
  /** Handed to the person, and not decided. */
  review = 'review',
  approved = 'approved'
}

/** The steps of a session, and for which run a person approved them. Immutable. */
export class Plan {
  static readonly EMPTY: Plan = new Plan([], PlanPhase.draft, '');
  readonly todos: ReadonlyArray<PlanTodo>;
  readonly phase: PlanPhase;
  /** The run that asked for the review; a decision holds for this run only. Empty for a draft. */
  readonly runId: string;

  constructor(todos: ReadonlyArray<PlanTodo>, phase: PlanPhase, runId: string) {
    this.todos = todos;
    this.phase = phase;
    this.runId = runId;
  }

  /** @returns undefined for a text that no plan was written as */
  static fromJson(json: JsonObject): Plan | undefined {
    const items: ReadonlyArray<JsonValue> | undefined = json.getArray('todos');
    const phase: PlanPhase | undefined = phaseOf(json.getString('phase'));
    const runId: string | undefined = json.getString('runId');
    if (items === undefined || phase === undefined || runId === undefined) {
      return undefined;
    }
    const todos: Result<ReadonlyArray<PlanTodo>, ArkAgentError> = TodoReader.read(items);
    return todos.ok ? new Plan(todos.value, phase, runId) : undefined;
  }

  isApprovedIn(runId: string): boolean {
    return this.phase === PlanPhase.approved && this.runId === runId && runId !== '';
  }

  isInReviewOf(runId: string): boolean {
    return this.phase === PlanPhase.review && this.runId === runId;
  }

  withTodos(todos: ReadonlyArray<PlanTodo>): Plan {
    return new Plan(todos, this.phase, this.runId);
  }

  at(phase: PlanPhase, runId: string): Plan {
    return new Plan(this.todos, phase, runId);
  }

  hasSameTodos(todos: ReadonlyArray<PlanTodo>): boolean {
    return todos.length === this.todos.length && todos.every((todo: PlanTodo, at: number) => todo.equals(this.todos[at]));
  }

  /** As stored, shown to the person and published; every call makes a new object. */
  toJson(): JsonObject {
    const items: JsonValue[] = this.todos.map<JsonValue>((todo: PlanTodo) => JsonValue.object(new JsonObject()
      .setString('id', todo.id).setString('content', todo.content).setString('status', todo.status)));
    return new JsonObject().setArray('todos', items).setString('phase', this.phase).setString('runId', this.runId);
  }
}

function phaseOf(word: string | undefined): PlanPhase | undefined {
  switch (word) {
    case 'draft':
      return PlanPhase.draft;
    case 'review':
      return PlanPhase.review;
    case 'approved':
      return PlanPhase.approved;
    default:
      return undefined;
  }
}
