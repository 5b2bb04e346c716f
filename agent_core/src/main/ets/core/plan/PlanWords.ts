import { Plan } from './Plan';
import { PlanTodo, PlanTodoStatus } from './PlanTodo';

/** What the feature says to the model, in one language. */
export interface PlanWords {
  description: string;
  /** Added to the description in plan-first mode. */
  planFirst: string;
  saved: string;
  sentForReview: string;
  reviewNotNeeded: string;
  hidden: string;
  approved: string;
  /** Ends with the place of the person's reason. */
  rejected: string;
  rejectedWithoutReason: string;
  current: string;
}

const ENGLISH: PlanWords = {
  description: 'Write down the steps of a longer task and keep their status up to date. Send the whole list each time; it ' +
    'replaces the one before. A status is pending, in_progress, completed or cancelled.',
  planFirst: ' Make a plan first: tools that change something become available when the person has approved it. ' +
    'Set ready_for_review to true when the plan is complete; the person is asked then.',
  saved: 'The plan is saved.',
  sentForReview: 'The plan is saved and waits for the person. Do nothing else until it is decided.',
  reviewNotNeeded: 'The plan is saved. It needs no review here: go on.',
  hidden: 'it changes something, and no plan is approved yet',
  approved: 'The plan is approved. Carry it out and keep the status of its steps up to date. Single actions may still need consent.',
  rejected: 'The plan is rejected. Make another one, or ask. Reason: ',
  rejectedWithoutReason: 'The plan is rejected. Make another one, or ask.',
  current: 'The plan now:'
};

const CHINESE: PlanWords = {
  description: '记下较长任务的步骤，并随时更新状态。每次都要发送完整列表，它会替换之前的列表。状态可以是 pending、in_progress、completed 或 cancelled。',
  planFirst: '请先制定计划：用户批准计划之后，会产生更改的工具才可用。计划完整时把 ready_for_review 设为 true，系统会请用户确认。',
  saved: '计划已保存。',
  sentForReview: '计划已保存，正在等待用户确认。确认之前不要做其他事情。',
  reviewNotNeeded: '计划已保存。这里不需要确认，请继续。',
  hidden: '它会产生更改，而计划尚未批准',
  approved: '计划已批准。请按计划执行，并随时更新各步骤的状态。个别操作仍可能需要用户同意。',
  rejected: '计划被拒绝。请重新制定计划或询问用户。原因：',
  rejectedWithoutReason: '计划被拒绝。请重新制定计划或询问用户。',
  current: '当前计划：'
};

/** The words of a language, and the short form of a plan. */
export class PlanLanguage {
  /** @param language a BCP 47 tag; Chinese for zh, English for everything else */
  static of(language: string): PlanWords {
    return language.toLowerCase().startsWith('zh') ? CHINESE : ENGLISH;
  }

  /** One line a step: `[x] done`, `[>] running`, `[ ] open`, `[-] given up`. */
  static brief(words: PlanWords, plan: Plan): string {
    const lines: string[] = [words.current];
    for (const todo of plan.todos) {
      lines.push(`${mark(todo)} ${todo.id === `${lines.length}` ? '' : `(${todo.id}) `}${todo.content}`);
    }
    return lines.join('\n');
  }
}

function mark(todo: PlanTodo): string {
  switch (todo.status) {
    case PlanTodoStatus.completed:
      return '[x]';
    case PlanTodoStatus.inProgress:
      return '[>]';
    case PlanTodoStatus.cancelled:
      return '[-]';
    default:
      return '[ ]';
  }
}
