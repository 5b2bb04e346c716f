import { CallResult } from '../../state/CallResult';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ResultBudget } from '../artifact/ResultBudget';
import { AfterHooks } from './AfterHooks';
import { AnswerMaker } from './AnswerMaker';
import { CallNotes } from './CallNotes';
import { CallRun } from './CallRun';
import { JobWay } from './JobWay';
import { PreparedCall } from '../prepare/PreparedCall';
import { Invocation } from './ToolInvoker';

/**
 * What executors answer after their calls had been answered: the ends of jobs, and what calls came to that had been given up.
 * Masked, limited, put before the hooks and recorded like any result, for the model is told of it like of any.
 */
export class LateAnswers {
  private readonly answers: AnswerMaker;
  private readonly hooks: AfterHooks;

  constructor(answers: AnswerMaker, hooks: AfterHooks) {
    this.answers = answers;
    this.hooks = hooks;
  }

  /** @param way undefined for a call that could not become a job */
  settled(prepared: PreparedCall, run: CallRun, late: Invocation, elapsedMs: number, way: JobWay | undefined): void {
    const isForNobody: boolean = run.late === undefined ? way?.job === undefined : run.late.isClosed();
    if (isForNobody) {
      return;
    }
    const isJobsEnd: boolean = way !== undefined && way.job !== undefined && !way.givenUp;
    if (late.isGivenUp) {
      way?.abandon();
    }
    this.made(prepared, run, late, elapsedMs).then((result: CallResult): void => {
      way?.job?.ended(result);
      if (!isJobsEnd) {
        run.late?.arrived(prepared.call.index, result);
      }
    }, (e: Error): void => {
      // What cannot be filtered cannot be told; the call keeps the answer that it has.
    });
  }

  private async made(prepared: PreparedCall, run: CallRun, late: Invocation, elapsedMs: number): Promise<CallResult> {
    const tool: RegisteredTool = prepared.tool as RegisteredTool;
    const changes: string[] = [];
    const budget: ResultBudget = ResultBudget.unlimited();
    const masked: CallResult = this.answers.masked(tool, late, elapsedMs, changes);
    const sized: CallResult = this.answers.fits(tool, masked, budget) ? masked :
      await this.answers.fitted(run.sessionId, tool, masked, budget, changes);
    CallNotes.filtered(prepared.call, run.audit, changes);
    if (!this.hooks.any || late.isGivenUp) {
      return sized;
    }
    const ask: () => Promise<CallResult> = (): Promise<CallResult> => this.hooks.askLate(prepared, run, sized);
    return run.late === undefined ? ask() : run.late.inTurn(ask);
  }
}
