/** How far a step of a plan is; the stored strings are what the model writes. */
export enum PlanTodoStatus {
  pending = 'pending',
  inProgress = 'in_progress',
  completed = 'completed',
  cancelled = 'cancelled'
}

/** One step of a plan. Immutable. */
export class PlanTodo {
  /** Unique in its plan. */
  readonly id: string;
  readonly content: string;
  readonly status: PlanTodoStatus;

  constructor(id: string, content: string, status: PlanTodoStatus) {
    this.id = id;
    this.content = content;
    this.status = status;
  }

  /** @returns undefined for a word that is no status */
  static statusOf(word: string): PlanTodoStatus | undefined {
    switch (word) {
      case 'pending':
        return PlanTodoStatus.pending;
      case 'in_progress':
        return PlanTodoStatus.inProgress;
      case 'completed':
        return PlanTodoStatus.completed;
      case 'cancelled':
        return PlanTodoStatus.cancelled;
      default:
        return undefined;
    }
  }

  equals(other: PlanTodo): boolean {
    return this.id === other.id && this.content === other.content && this.status === other.status;
  }
}
