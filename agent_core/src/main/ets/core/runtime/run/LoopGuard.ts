import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { LoopEvidence } from '../../control/event/DiagnosticEvents';
import { JsonObject } from '../../json/JsonObject';
import { LoopCheck, LoopDetector, LoopDetectorResult, LoopKind } from '../../loop/LoopDetector';
import { AgentMessage } from '../../message/AgentMessage';
import { AgentStopReason } from '../../state/AgentStopReason';
import { StateSlice } from '../../state/StateSlice';
import { FeatureLink } from '../session/FeatureLink';
import { HistoryKeeper } from '../ledger/HistoryKeeper';
import { RunContext } from '../segment/RunContext';
import { RunEnd } from '../segment/RunEnd';
import { SessionStore } from '../store/SessionStore';

/** What a guard is made of. */
export interface LoopGuardParts {
  store: SessionStore;
  keeper: HistoryKeeper;
  slices: FeatureLink;
  detector: LoopDetector;
  /** What the model is told before its first loop ends the run; undefined = nothing. */
  nudge: string | undefined;
}

/** Where the session remembers the run that was nudged, so that a kill grants no second chance. */
const SLICE: string = 'loop';
const SLICE_VERSION: number = 1;

/** Asks the detector when the results of a batch are in the history, and says what follows. */
export class LoopGuard {
  private readonly parts: LoopGuardParts;

  constructor(parts: LoopGuardParts) {
    this.parts = parts;
  }

  /** @returns the end of the run, or undefined to go on: no loop, or the model was told once */
  async check(context: RunContext): Promise<RunEnd | undefined> {
    const window: ReadonlyArray<string> = this.parts.store.draft.loopWindow;
    const turn: number = this.parts.store.draft.run?.turn ?? 0;
    const check: LoopCheck = {
      window: window, turn: turn, messages: this.parts.store.draft.history, signal: context.signal
    };
    const found: LoopDetectorResult = await this.detect(check);
    if (!found.isLoop || context.signal.cancelled) {
      return undefined;
    }
    const nudged: boolean = this.nudge(context.runId);
    const evidence: LoopEvidence = {
      signature: found.kind === LoopKind.llm ? '' : window[window.length - 1] ?? '', window: window, turn: turn, nudged: nudged
    };
    context.reporter.loopDetected(found, evidence);
    return nudged ? undefined :
      RunEnd.stopped(AgentStopReason.loopDetected, ArkAgentError.of(ErrorCode.loopDetected, found.reason));
  }

  /** A detector that fails is no loop, and one that never answers keeps no cancel or pause waiting. */
  private detect(check: LoopCheck): Promise<LoopDetectorResult> {
    return new Promise<LoopDetectorResult>((resolve: (found: LoopDetectorResult) => void): void => {
      const detach: () => void = check.signal.onCancelled((reason: string): void => resolve(LoopDetectorResult.notLoop()));
      const answer: (found: LoopDetectorResult) => void = (found: LoopDetectorResult): void => {
        detach();
        resolve(found);
      };
      try {
        this.parts.detector.check(check).then(answer, (e: Error): void => answer(LoopDetectorResult.notLoop()));
      } catch (e) {
        answer(LoopDetectorResult.notLoop());
      }
    });
  }

  /** @returns whether the model was told; once per run */
  private nudge(runId: string): boolean {
    const text: string | undefined = this.parts.nudge;
    if (text === undefined || this.parts.slices.getSlice(SLICE)?.json.getString('nudgedRun') === runId) {
      return false;
    }
    this.parts.slices.putSlice(SLICE, new StateSlice(SLICE_VERSION, new JsonObject().setString('nudgedRun', runId)));
    this.parts.keeper.append(AgentMessage.user(text));
    return true;
  }
}
