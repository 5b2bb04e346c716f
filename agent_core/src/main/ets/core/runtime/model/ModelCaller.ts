import { ArkAgentError } from '../../base/ArkAgentError';
import { CancellationController } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { FlowController } from '../../base/FlowControl';
import { AgentHookPipeline } from '../../hook/AgentHookPipeline';
import { ModelCallHookContext } from '../../hook/context/ModelCallHookContext';
import { ModelResponseHookContext } from '../../hook/context/ModelResponseHookContext';
import { HookSlot } from '../../hook/HookSlot';
import { ModelCallHookOutcome } from '../../hook/outcome/ModelCallHookOutcome';
import { ModelResponseHookOutcome } from '../../hook/outcome/ModelResponseHookOutcome';
import { ModelProvider } from '../../model/ModelProvider';
import { ModelRequest } from '../../model/ModelRequest';
import { FinishReason, ModelOutcome, ModelResponse, ModelResponseInit } from '../../model/ModelResponse';
import { RunRecord } from '../../state/RunRecord';
import { AgentLimits } from '../config/AgentLimits';
import { CallIds } from './CallIds';
import { CollectedStream, ModelStreamCollector } from './ModelStreamCollector';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionRedaction } from '../session/SessionRedaction';
import { SessionStore } from '../store/SessionStore';
import { TurnPreparer } from './TurnPreparer';

/** What a model call came to: an answer, or the end of the run with what had arrived by then. Immutable. */
export class ModelTurn {
  readonly response: ModelResponse | undefined;
  readonly end: RunEnd | undefined;
  /** Text and reasoning that were let through before the end. */
  readonly partialText: string;
  readonly partialReasoning: string;

  private constructor(response: ModelResponse | undefined, end: RunEnd | undefined, partialText: string,
    partialReasoning: string) {
    this.response = response;
    this.end = end;
    this.partialText = partialText;
    this.partialReasoning = partialReasoning;
  }

  static answered(response: ModelResponse): ModelTurn {
    return new ModelTurn(response, undefined, '', '');
  }

  static ended(end: RunEnd, partial?: CollectedStream): ModelTurn {
    return new ModelTurn(undefined, end, partial?.text ?? '', partial?.reasoning ?? '');
  }
}

/** One turn's model call: hooks before, stream, hooks after, bounded retries. */
export class ModelCaller {
  private readonly provider: ModelProvider;
  private readonly hooks: AgentHookPipeline;
  private readonly preparer: TurnPreparer;
  private readonly store: SessionStore;
  private readonly limits: AgentLimits;
  private readonly redaction: SessionRedaction | undefined;

  constructor(provider: ModelProvider, hooks: AgentHookPipeline, preparer: TurnPreparer, store: SessionStore,
    limits: AgentLimits, redaction: SessionRedaction | undefined) {
    this.provider = provider;
    this.hooks = hooks;
    this.preparer = preparer;
    this.store = store;
    this.limits = limits;
    this.redaction = redaction;
  }

  async call(context: RunContext): Promise<ModelTurn> {
    let emptyAnswers: number = 0;
    while (true) {
      const turn: ModelTurn | undefined = await this.attempt(context);
      if (turn === undefined) {
        if (context.signal.cancelled) {
          return ModelTurn.ended(ModelCaller.interruption(context));
        }
        continue;
      }
      const response: ModelResponse | undefined = turn.response;
      if (response === undefined || !isEmpty(response)) {
        return turn;
      }
      emptyAnswers++;
      if (emptyAnswers > 1) {
        return ModelTurn.ended(RunEnd.failed(
          ArkAgentError.of(ErrorCode.providerEmptyResponse, 'the model answered with neither text nor calls, twice')));
      }
      if (response.reasoning !== '') {
        context.reporter.modelRestarted();
      }
    }
  }

  /** The end of a run whose signal fired. */
  static interruption(context: RunContext): RunEnd {
    return context.suspending ? RunEnd.paused() : RunEnd.cancelled(context.cancelReason);
  }

  /** @returns undefined when a hook wants the model to be asked again */
  private async attempt(context: RunContext): Promise<ModelTurn | undefined> {
    const prepared: ModelRequest = this.preparer.prepare();
    let request: ModelRequest = prepared;
    let collected: CollectedStream | undefined = undefined;
    let responded: boolean = false;
    if (this.hooks.hasHooks(HookSlot.beforeModelCall)) {
      const before: ModelCallHookOutcome = await context.patience.wait(this.hooks.beforeModelCall(
        new ModelCallHookContext(context.sessionId, context.state, prepared)));
      context.reporter.diagnostics(before.diagnostics);
      if (before.abort !== undefined) {
        return ModelTurn.ended(RunEnd.aborted(before.abort.error));
      }
      request = this.preparer.settle(prepared, before.request);
      if (before.response !== undefined) {
        collected = respond(before.response);
        responded = true;
      }
    }
    context.showTools(request.tools);
    if (context.signal.cancelled) {
      return ModelTurn.ended(ModelCaller.interruption(context));
    }
    if (collected === undefined) {
      context.reporter.modelStarted(request);
      collected = await this.stream(context, request);
    }
    return await this.conclude(context, collected, !responded);
  }

  private stream(context: RunContext, request: ModelRequest): Promise<CollectedStream> {
    return new Promise<CollectedStream>((resolve: (value: CollectedStream) => void): void => {
      const control: CancellationController = new CancellationController();
      const flow: FlowController | undefined = this.hooks.hasChunkHooks ? new FlowController() : undefined;
      let detach: () => void = (): void => {
      };
      const collector: ModelStreamCollector = new ModelStreamCollector(context, this.hooks, this.limits.maxResponseChars,
        control, (stream: CollectedStream): void => {
          detach();
          resolve(stream);
        }, flow, this.redaction);
      detach = context.signal.onCancelled((reason: string): void => {
        control.cancel(reason);
        collector.interrupt();
      });
      if (control.signal.cancelled) {
        // Whoever heard that the model is about to be called cancelled.
        return;
      }
      try {
        this.provider.stream(request, collector, control.signal, flow?.signal);
      } catch (e) {
        collector.onError(ArkAgentError.wrap(ErrorCode.providerFailed, e as Object, 'the provider failed'));
      }
    });
  }

  /** @param shown false for an answer that nobody has seen yet: when it does not stand, nothing of it is kept */
  private async conclude(context: RunContext, collected: CollectedStream,
    shown: boolean): Promise<ModelTurn | undefined> {
    if (collected.response?.usage !== undefined) {
      // Paid for, whatever becomes of the answer.
      this.store.draft.usage = this.store.draft.usage.plus(collected.response.usage);
    }
    if (collected.abort !== undefined) {
      return ModelTurn.ended(RunEnd.aborted(collected.abort.error), collected);
    }
    if (collected.interrupted || context.signal.cancelled) {
      return ModelTurn.ended(ModelCaller.interruption(context), shown ? collected : undefined);
    }
    const fault: ArkAgentError | undefined = collected.error ?? brokenAnswer(collected.response);
    if (fault !== undefined || collected.response === undefined) {
      return ModelTurn.ended(RunEnd.streamFailed(fault ??
        ArkAgentError.of(ErrorCode.providerProtocol, 'the provider gave no answer')), shown ? collected : undefined);
    }
    const streamed: ModelResponse =
      await this.masked(context, this.assembled(context, collected, collected.response), shown, undefined);
    if (!this.hooks.hasHooks(HookSlot.afterModelCall)) {
      if (!shown) {
        show(context, streamed);
      }
      context.reporter.modelFinished(streamed);
      return ModelTurn.answered(streamed);
    }
    const after: ModelResponseHookOutcome = await context.patience.wait(this.hooks.afterModelCall(
      new ModelResponseHookContext(context.sessionId, context.state, streamed)));
    context.reporter.diagnostics(after.diagnostics);
    if (after.abort !== undefined) {
      return ModelTurn.ended(RunEnd.aborted(after.abort.error), shown ? collected : undefined);
    }
    if (after.retry !== undefined) {
      return this.retry(context, shown ? collected : undefined);
    }
    const final: ModelResponse = after.response === streamed ? streamed : await this.masked(context,
      this.withUniqueIds(context, stillCut(streamed, after.response)), false, streamed);
    if (!shown) {
      show(context, final);
    } else if (final.text !== streamed.text || final.reasoning !== streamed.reasoning) {
      if (streamed.text !== '' || streamed.reasoning !== '') {
        context.reporter.modelRestarted();
      }
      show(context, final);
    }
    context.reporter.modelFinished(final);
    return ModelTurn.answered(final);
  }

  /** @param earlier the answer that a hook changed @param isMasked the text passed the filters of the stream */
  private masked(context: RunContext, response: ModelResponse, isMasked: boolean,
    earlier: ModelResponse | undefined): Promise<ModelResponse> {
    return this.redaction === undefined ? Promise.resolve(response) :
      this.redaction.answer(`${context.runId}.${this.store.draft.run?.turn ?? 0}`, response, isMasked, earlier);
  }

  /** History holds what the chunk hooks let through, never the provider's copy (DEC-26). */
  private assembled(context: RunContext, collected: CollectedStream, response: ModelResponse): ModelResponse {
    const init: ModelResponseInit = response.toInit();
    if (collected.text !== response.text || collected.reasoning !== response.reasoning) {
      // A hook changed what was said, and the provider's opaque values may repeat it word for word.
      init.extras = undefined;
    }
    init.text = collected.text;
    init.reasoning = collected.reasoning;
    return this.withUniqueIds(context, new ModelResponse(init));
  }

  private withUniqueIds(context: RunContext, response: ModelResponse): ModelResponse {
    if (response.toolCalls.length === 0) {
      return response;
    }
    const init: ModelResponseInit = response.toInit();
    const turn: number = this.store.draft.run?.turn ?? 0;
    init.toolCalls = CallIds.unique(response.toolCalls, `call-${turn}`);
    return init.toolCalls === response.toolCalls ? response : new ModelResponse(init);
  }

  private retry(context: RunContext, collected: CollectedStream | undefined): ModelTurn | undefined {
    const run: RunRecord = this.store.draft.run as RunRecord;
    if (run.modelRetries >= this.limits.maxModelRetries) {
      return ModelTurn.ended(RunEnd.failed(ArkAgentError.of(ErrorCode.modelRetryExhausted,
        `hooks asked for more than ${this.limits.maxModelRetries} retries`)), collected);
    }
    this.store.draft.run = run.withModelRetries(run.modelRetries + 1);
    if (collected !== undefined && (collected.text !== '' || collected.reasoning !== '')) {
      context.reporter.modelRestarted();
    }
    return undefined;
  }
}

function isEmpty(response: ModelResponse): boolean {
  return response.text === '' && response.toolCalls.length === 0 && response.finishReason !== FinishReason.length &&
    response.finishReason !== FinishReason.contentFilter && response.finishReason !== FinishReason.error;
}

/** Calls of an answer that was cut stay cut, whatever a hook makes of the finish reason (DEC-25). */
function stillCut(streamed: ModelResponse, hooked: ModelResponse): ModelResponse {
  if (streamed.callsMayRun || !hooked.callsMayRun || hooked.toolCalls.length === 0) {
    return hooked;
  }
  const init: ModelResponseInit = hooked.toInit();
  init.finishReason = streamed.finishReason;
  return new ModelResponse(init);
}

/** A stream that broke off is no answer, whatever the provider says after it (DEC-25). */
function brokenAnswer(response: ModelResponse | undefined): ArkAgentError | undefined {
  switch (response?.outcome) {
    case ModelOutcome.incomplete:
      return ArkAgentError.of(ErrorCode.providerStreamIncomplete, 'the answer broke off');
    case ModelOutcome.error:
      return ArkAgentError.of(ErrorCode.providerStreamError, 'the model service ended the answer with an error');
    default:
      return undefined;
  }
}

/** What a hook says in the model's words, as one piece. */
function show(context: RunContext, response: ModelResponse): void {
  if (response.text !== '') {
    context.reporter.textDelta(response.text);
  }
  if (response.reasoning !== '') {
    context.reporter.reasoningDelta(response.reasoning);
  }
}

/** A hook answered in the model's place: past the chunk hooks (DEC-26). Shown when the hooks after the call have seen it. */
function respond(response: ModelResponse): CollectedStream {
  return new CollectedStream(response.text, response.reasoning, response, undefined, undefined, false);
}
