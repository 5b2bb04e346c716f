import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { CallStop } from '../../execution/run/ExecutedCall';
import { TurnCompletionHookContext } from '../../hook/context/TurnCompletionHookContext';
import { HookDiagnostic, HookDiagnosticCode } from '../../hook/HookDiagnostic';
import { HookSlot } from '../../hook/HookSlot';
import { TurnCompletionHookOutcome } from '../../hook/outcome/TurnCompletionHookOutcome';
import { CallSignatures } from '../../loop/CallSignatures';
import { AgentMessage, AgentMessageInit, MessageRole } from '../../message/AgentMessage';
import { ContentPart } from '../../message/ContentPart';
import { FinishReason, ModelResponse } from '../../model/ModelResponse';
import { AgentStopReason } from '../../state/AgentStopReason';
import { OpenBatch } from '../../state/OpenBatch';
import { PersistReason } from '../../state/PersistReason';
import { RunRecord } from '../../state/RunRecord';
import { AgentLimits } from '../config/AgentLimits';
import { BatchEnd } from '../batch/BatchEnd';
import { FeatureLink } from '../session/FeatureLink';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { LoopGuard } from './LoopGuard';
import { ModelCaller, ModelTurn } from '../model/ModelCaller';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionRedaction } from '../session/SessionRedaction';
import { SessionStore } from '../store/SessionStore';
import { PersistAction, PersistVerdict, StatePersister } from '../store/StatePersister';
import { ToolBatchRunner } from '../batch/ToolBatchRunner';

/** What a loop is made of. */
export interface RunLoopParts {
  store: SessionStore;
  persister: StatePersister;
  keeper: HistoryKeeper;
  caller: ModelCaller;
  batches: ToolBatchRunner;
  hooks: AgentHookPipeline;
  signatures: CallSignatures;
  loops: LoopGuard;
  features: FeatureLink;
  redaction: SessionRedaction | undefined;
  limits: AgentLimits;
}

/**
 * The only loop: model → calls → results → model, until something ends it. Streaming is the only path.
 *
 * Every method answers with the end of the run, or with undefined to go on; the terminal gate carries an end out.
 */
export class RunLoop {
  private readonly parts: RunLoopParts;

  constructor(parts: RunLoopParts) {
    this.parts = parts;
  }

  async run(context: RunContext): Promise<RunEnd> {
    while (true) {
      const stop: RunEnd | undefined = this.beforeTurn(context);
      if (stop !== undefined) {
        return stop;
      }
      const turn: ModelTurn = await this.parts.caller.call(context);
      if (turn.response === undefined) {
        return this.interrupted(context, turn);
      }
      const end: RunEnd | undefined = await this.apply(context, turn.response);
      if (end !== undefined) {
        return end;
      }
    }
  }

  /** What follows a batch, also one that a resume took up: results into the history, then stop, loop check or next turn. */
  async afterBatch(context: RunContext, batch: BatchEnd): Promise<RunEnd | undefined> {
    if (batch.end !== undefined || context.batch === undefined) {
      return batch.end;
    }
    const message: AgentMessage = context.batch.message;
    const done: OpenBatch = context.batch.toOpenBatch();
    this.parts.keeper.completeBatch(context.batch, this.parts.signatures);
    context.batch = undefined;
    this.parts.store.draft.pendingPlanReview = this.parts.features.takeWantedReview() ?? this.parts.store.draft.pendingPlanReview;
    this.noteStop(batch.stop);
    const refused: RunEnd | undefined = await this.save(context, PersistReason.afterToolBatch);
    if (refused !== undefined) {
      return refused;
    }
    await this.parts.redaction?.release(done);
    if (this.parts.store.draft.pendingPlanReview !== undefined) {
      return RunEnd.awaitingPlanReview();
    }
    if (batch.stop !== CallStop.none) {
      return await this.completion(context, message, batch.stop);
    }
    return await this.parts.loops.check(context);
  }

  /** A stop that was stored with its batch, in a run that was cut off or paused before it had its effect. */
  afterStop(context: RunContext, message: AgentMessage, reason: AgentStopReason): Promise<RunEnd | undefined> {
    return this.completion(context, message, reason === AgentStopReason.hookStop ? CallStop.hook : CallStop.tool);
  }

  /** A plan that a person is to look at goes first: its decision is for the model. */
  private noteStop(stop: CallStop): void {
    const run: RunRecord | undefined = this.parts.store.draft.run;
    if (stop !== CallStop.none && run !== undefined && this.parts.store.draft.pendingPlanReview === undefined) {
      this.parts.store.draft.run = run.stopping(stopReasonOf(stop));
    }
  }

  /** A final answer whose process died before the ending was stored: it stands, and the model is not asked a second time. */
  afterAnswer(context: RunContext, message: AgentMessage): Promise<RunEnd | undefined> {
    return this.completion(context, message, CallStop.none);
  }

  private beforeTurn(context: RunContext): RunEnd | undefined {
    const run: RunRecord = this.parts.store.draft.run as RunRecord;
    if (context.signal.cancelled) {
      return ModelCaller.interruption(context);
    }
    if (run.turn >= this.parts.limits.maxTurns) {
      return RunEnd.stopped(AgentStopReason.maxTurns, ArkAgentError.of(ErrorCode.maxTurnsReached,
        `the run made ${run.turn} model calls, at most ${this.parts.limits.maxTurns} are allowed`));
    }
    if (this.parts.store.draft.history.length > this.parts.limits.maxHistoryMessages) {
      return RunEnd.failed(ArkAgentError.of(ErrorCode.historyTooLarge,
        `the conversation has more than ${this.parts.limits.maxHistoryMessages} messages`));
    }
    this.parts.keeper.appendLateNotes();
    this.parts.store.draft.run = run.atTurn(run.turn + 1);
    context.reporter.turn = run.turn + 1;
    return undefined;
  }

  /** The model call ended the run: what had arrived stays, marked, without calls (DEC-25). */
  private interrupted(context: RunContext, turn: ModelTurn): RunEnd {
    const end: RunEnd = turn.end as RunEnd;
    const isPause: boolean = end.stopReason === AgentStopReason.suspended;
    if (isPause && (turn.partialText !== '' || turn.partialReasoning !== '')) {
      // The turn begins anew when the run is resumed: what was shown of it is in no history and will be said again.
      context.reporter.modelRestarted();
    }
    if (!isPause && (turn.partialText !== '' || turn.partialReasoning !== '')) {
      const init: AgentMessageInit = {
        role: MessageRole.assistant, contents: textParts(turn.partialText), interrupted: true,
        reasoning: turn.partialReasoning === '' ? undefined : turn.partialReasoning
      };
      this.parts.keeper.append(new AgentMessage(init));
    }
    return end;
  }

  private async apply(context: RunContext, response: ModelResponse): Promise<RunEnd | undefined> {
    const message: AgentMessage = this.appendAnswer(response);
    if (response.toolCalls.length > 0 && !response.callsMayRun) {
      // Stored with the message: after a kill nobody would know any more that these calls were cut.
      this.parts.store.draft.openBatch = this.parts.batches.truncated(context, message).toOpenBatch();
    }
    const refused: RunEnd | undefined = await this.save(context, PersistReason.afterModelText);
    if (refused !== undefined) {
      return refused;
    }
    if (context.cancelled) {
      return ModelCaller.interruption(context);
    }
    if (response.toolCalls.length > 0) {
      // A pause comes after phase 1, which changes nothing: only then is it known what the calls wait for.
      return await this.afterBatch(context, await this.parts.batches.begin(context, message, response.callsMayRun));
    }
    return cutAnswer(response) ?? await this.completion(context, message, CallStop.none);
  }

  private appendAnswer(response: ModelResponse): AgentMessage {
    const init: AgentMessageInit = {
      role: MessageRole.assistant, contents: textParts(response.text), toolCalls: response.toolCalls,
      reasoning: response.reasoning === '' ? undefined : response.reasoning, usage: response.usage,
      extras: response.extras?.seal(), interrupted: response.toolCalls.length === 0 && cutAnswer(response) !== undefined
    };
    return this.parts.keeper.append(new AgentMessage(init));
  }

  private async completion(context: RunContext, message: AgentMessage, stop: CallStop): Promise<RunEnd | undefined> {
    const end: RunEnd = RunEnd.completed(stopReasonOf(stop));
    if (!this.parts.hooks.hasHooks(HookSlot.onTurnCompletion)) {
      return end;
    }
    const outcome: TurnCompletionHookOutcome = await context.patience.wait(this.parts.hooks.onTurnCompletion(
      new TurnCompletionHookContext(context.sessionId, context.state, message)));
    context.reporter.diagnostics(outcome.diagnostics);
    if (outcome.abort !== undefined) {
      return RunEnd.aborted(outcome.abort.error);
    }
    if (outcome.continuation === undefined) {
      return end;
    }
    if (stop === CallStop.hook) {
      context.reporter.diagnostics([new HookDiagnostic(outcome.continuation.hookName, HookSlot.onTurnCompletion,
        'continueRun came after a hook had stopped the run and is not honoured', HookDiagnosticCode.continueIgnored)]);
      return end;
    }
    for (const injected of outcome.continuation.messages) {
      this.parts.keeper.append(injected);
    }
    return undefined;
  }

  private async save(context: RunContext, reason: PersistReason): Promise<RunEnd | undefined> {
    const verdict: PersistVerdict = await this.parts.store.exclusive((): Promise<PersistVerdict> =>
      this.parts.persister.persist(reason, context));
    return saveRefusal(verdict, context);
  }
}

/**
 * An ordinary save may fail or be skipped and the run goes on; a hook's abort and another owner end it (DEC-06). After a cancel
 * the run ends as cancelled. A hook that a pause did not wait for has said nothing: the commit of the pause carries the changes.
 */
export function saveRefusal(verdict: PersistVerdict, context: RunContext): RunEnd | undefined {
  if (verdict.action === PersistAction.aborted && context.cancelled) {
    return ModelCaller.interruption(context);
  }
  if (verdict.abandoned) {
    return undefined;
  }
  if (verdict.action === PersistAction.aborted) {
    return RunEnd.aborted(verdict.error as ArkAgentError);
  }
  return verdict.conflict ? RunEnd.saveFailed(verdict.error as ArkAgentError) : undefined;
}

function stopReasonOf(stop: CallStop): AgentStopReason {
  switch (stop) {
    case CallStop.tool:
      return AgentStopReason.toolStop;
    case CallStop.hook:
      return AgentStopReason.hookStop;
    default:
      return AgentStopReason.complete;
  }
}

function textParts(text: string): ReadonlyArray<ContentPart> {
  return text === '' ? [] : [ContentPart.text(text)];
}

/** A text answer that was cut, refused or broken is never "complete" (DEC-25). */
function cutAnswer(response: ModelResponse): RunEnd | undefined {
  switch (response.finishReason) {
    case FinishReason.length:
      return RunEnd.failed(ArkAgentError.of(ErrorCode.providerOutputTruncated, 'the answer was cut at the output limit'));
    case FinishReason.contentFilter:
      return RunEnd.failed(ArkAgentError.of(ErrorCode.providerRefused, 'the model service filtered or refused the answer'));
    case FinishReason.error:
      return RunEnd.failed(ArkAgentError.of(ErrorCode.providerStreamError, 'the model service ended the answer with an error'));
    default:
      return undefined;
  }
}
