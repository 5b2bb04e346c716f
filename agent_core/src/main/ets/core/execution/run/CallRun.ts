import { CancellationSignal } from '../../base/Cancellation';
import { HookPatience } from '../../hook/HookPatience';
import { CallResult } from '../../state/CallResult';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { CallAudit } from '../audit/CallAudit';
import { ResultBudget } from '../artifact/ResultBudget';
import { CallJournal } from '../seam/CallJournal';
import { CallReporter } from '../seam/CallReporter';
import { HookTurn } from '../seam/HookTurn';
import { CallJobs } from './JobWay';

/** The child session that works on a call. */
export interface CallChild {
  childSessionId: string;
  /** It has stored something. */
  begun: boolean;
  /** The run's signal fires for a pause, not for a cancel. */
  isPausing: () => boolean;
}

/** Where answers go that come after their call was answered. Contract: nothing here throws. */
export interface LateHearing {
  /** The session is closed: what comes now is for nobody. */
  isClosed: () => boolean;
  /** Runs what asks hooks about such an answer when no other one is being asked about. */
  inTurn: (work: () => Promise<CallResult>) => Promise<CallResult>;
  /** Hears, once, what a call answered after it had been given up; redacted, limited, after the hooks. */
  arrived: (position: number, result: CallResult) => void;
}

/** Where and how often a call runs. */
export interface CallRun {
  sessionId: string;
  state: ReadonlyAgentState;
  batchId: string;
  attempt: number;
  idempotencyKey: string;
  signal: CancellationSignal;
  /** The signal fires for a pause: a call that had not begun is left for the resume. Undefined = it never does. */
  isPausing?: () => boolean;
  journal: CallJournal;
  reporter: CallReporter;
  audit: CallAudit;
  /** Bounds the wait for hooks after a cancel; undefined = as long as it takes. */
  patience?: HookPatience;
  /** For a call that delegates. */
  child?: CallChild;
  /** For a call that runs beside others. */
  turn?: HookTurn;
  /** Where calls become jobs; undefined = they do not. */
  jobs?: CallJobs;
  /** What the batch may still bring into the conversation; undefined = what the tool may. */
  budget?: ResultBudget;
  /** Undefined = nobody wants to hear of late answers. */
  late?: LateHearing;
}
