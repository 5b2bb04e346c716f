import { AgentHook } from '../hook/AgentHook';
import { HookFailureMode } from '../hook/HookFailureMode';
import { ModelCallHookContext } from '../hook/context/ModelCallHookContext';
import { ModelCallHookResult } from '../hook/result/ModelCallHookResult';
import { AgentMessage } from '../message/AgentMessage';
import { MessageList } from '../message/MessageList';
import { Plan } from './Plan';
import { PlanBook } from './PlanBook';
import { PlanLanguage, PlanWords } from './PlanWords';

/**
 * Shows the model the plan in the request that follows a change, and in the first one of a run or process.
 *
 * The note is in that request only: neither the history nor the text before it changes, so a provider's prompt cache keeps
 * its hit and the conversation does not grow with every step.
 */
export class PlanReminderHook extends AgentHook {
  private readonly book: PlanBook;
  private readonly words: PlanWords;
  private shown: Plan | undefined = undefined;
  private shownAtLength: number = -1;
  private shownInRun: string = '';

  constructor(book: PlanBook, words: PlanWords) {
    super('plan', { failureMode: HookFailureMode.failOpen });
    this.book = book;
    this.words = words;
  }

  override async beforeModelCall(context: ModelCallHookContext): Promise<ModelCallHookResult> {
    const plan: Plan = this.book.plan;
    const messages: MessageList = context.request.messages;
    if (plan.todos.length === 0 || context.sessionId !== this.book.sessionId || !this.isDue(plan, messages.length)) {
      return ModelCallHookResult.proceed(context.request);
    }
    this.shown = plan;
    this.shownAtLength = messages.length;
    this.shownInRun = this.book.runId;
    const extended: AgentMessage[] = messages.toArray();
    extended.push(AgentMessage.user(PlanLanguage.brief(this.words, plan)));
    return ModelCallHookResult.proceed(context.request.withMessages(MessageList.of(extended)));
  }

  /** A request that is made again, because a hook wanted a retry, shows it again. */
  private isDue(plan: Plan, length: number): boolean {
    return this.shown === undefined || (plan !== this.shown && !plan.hasSameTodos(this.shown.todos)) ||
      length === this.shownAtLength || this.shownInRun !== this.book.runId;
  }
}
