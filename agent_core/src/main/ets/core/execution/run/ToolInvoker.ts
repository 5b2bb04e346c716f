import { ArkAgentError } from '../../base/ArkAgentError';
import { CancellationController, CancellationSignal } from '../../base/Cancellation';
import { ErrorCode } from '../../base/ErrorCodes';
import { JsonObject } from '../../json/JsonObject';
import { Scheduler, ScheduledTask } from '../../port/Scheduler';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolContext } from '../../tool/ToolContext';
import { ToolCancellation } from '../../tool/ToolContract';
import { ToolResult } from '../../tool/ToolResult';
import { JobWay } from './JobWay';

export enum InvocationEnd {
  /** The executor answered. */
  settled = 'settled',
  /** The executor threw. */
  threw = 'threw',
  /** Its deadline and the grace after it passed. */
  timedOut = 'timed_out',
  /** The run was cancelled and the grace after that passed. */
  cancelled = 'cancelled',
  /** It goes on as a job. */
  detached = 'detached'
}

/** How an attempt to run a tool ended. Immutable. */
export class Invocation {
  readonly end: InvocationEnd;
  readonly result: ToolResult | undefined;
  readonly error: ArkAgentError | undefined;

  constructor(end: InvocationEnd, result: ToolResult | undefined, error: ArkAgentError | undefined) {
    this.end = end;
    this.result = result;
    this.error = error;
  }

  /** The executor has not answered; what it may come to is another matter. */
  get isGivenUp(): boolean {
    return this.end === InvocationEnd.timedOut || this.end === InvocationEnd.cancelled;
  }
}

/** Bounds of the wait for a call that should have ended; milliseconds. */
export interface InvocationGrace {
  cancelGraceMs: number;
  timeoutGraceMs: number;
}

/** What the executor gets, except for its own signal, which belongs to the attempt. */
export type ToolContextFactory = (signal: CancellationSignal) => ToolContext;

/** Hears of a settlement that came after the attempt had ended, and of the deadline of a job. */
export type LateListener = (late: Invocation) => void;

/** Enters executors: one attempt with deadline, cancellation and grace (steps 5 and 6). The only caller of `execute`. */
export class ToolInvoker {
  private readonly scheduler: Scheduler;
  private readonly grace: InvocationGrace;

  constructor(scheduler: Scheduler, grace: InvocationGrace) {
    this.scheduler = scheduler;
    this.grace = grace;
  }

  /** Resolves once and never rejects; `onLate` hears, once, of a settlement after that; before it of a job's deadline. */
  invoke(tool: RegisteredTool, args: JsonObject, runSignal: CancellationSignal,
    contextFor: ToolContextFactory, onLate: LateListener, way?: JobWay): Promise<Invocation> {
    return new Promise<Invocation>((resolve: (value: Invocation) => void): void => {
      const attempt: Attempt = new Attempt(this.scheduler, this.grace, resolve, onLate);
      attempt.mayDetach(way);
      attempt.start(tool, args, runSignal, contextFor);
    });
  }
}

class Attempt {
  private readonly scheduler: Scheduler;
  private readonly grace: InvocationGrace;
  private readonly resolve: (value: Invocation) => void;
  private readonly onLate: LateListener;
  private readonly own: CancellationController = new CancellationController();
  private deadline: ScheduledTask | undefined = undefined;
  private graceEnd: ScheduledTask | undefined = undefined;
  private jobStart: ScheduledTask | undefined = undefined;
  /** Of the job that the attempt has become: its deadline, then the grace after it. */
  private jobEnd: ScheduledTask | undefined = undefined;
  private way: JobWay | undefined = undefined;
  private detach: (() => void) | undefined = undefined;
  private ended: boolean = false;
  private late: boolean = false;
  /** Nothing but its own end ends it: a child session is stored as ended before anybody goes on without it. */
  private patient: boolean = false;
  private cancellation: ToolCancellation = ToolCancellation.cooperative;

  constructor(scheduler: Scheduler, grace: InvocationGrace, resolve: (value: Invocation) => void, onLate: LateListener) {
    this.scheduler = scheduler;
    this.grace = grace;
    this.resolve = resolve;
    this.onLate = onLate;
  }

  /** @param way into the background; undefined = there is none */
  mayDetach(way: JobWay | undefined): void {
    this.way = way;
    way?.begin((): boolean => this.detachNow(), (reason: string): void => this.tell(reason));
  }

  start(tool: RegisteredTool, args: JsonObject, runSignal: CancellationSignal, contextFor: ToolContextFactory): void {
    this.patient = tool.delegates;
    this.cancellation = tool.contract.cancellation;
    const timeoutMs: number = tool.contract.timeoutMs;
    if (timeoutMs > 0) {
      this.deadline = this.scheduler.schedule(timeoutMs, (): void => this.onDeadline(timeoutMs));
    }
    if (this.way !== undefined && this.way.afterMs > 0) {
      this.jobStart = this.scheduler.schedule(this.way.afterMs, (): void => {
        this.detachNow();
      });
    }
    this.detach = runSignal.onCancelled((reason: string): void => this.onCancel(reason));
    this.run(tool, args, contextFor).catch((e: Error): void => {
      this.finish(new Invocation(InvocationEnd.threw, undefined, failed()));
    });
  }

  private async run(tool: RegisteredTool, args: JsonObject, contextFor: ToolContextFactory): Promise<void> {
    try {
      const result: ToolResult = await tool.executor.execute(args, contextFor(this.own.signal));
      if (result instanceof ToolResult) {
        this.finish(new Invocation(InvocationEnd.settled, result, undefined));
      } else {
        this.finish(new Invocation(InvocationEnd.threw, undefined,
          ArkAgentError.of(ErrorCode.toolExecutionFailed, 'the tool returned no ToolResult')));
      }
    } catch (e) {
      this.finish(new Invocation(InvocationEnd.threw, undefined, thrownError(e as Object)));
    }
  }

  private onDeadline(timeoutMs: number): void {
    const late: ArkAgentError = ArkAgentError.of(ErrorCode.toolTimeout, `no answer within ${timeoutMs} ms`);
    this.tell(ErrorCode.toolTimeout);
    this.endAfter(this.grace.timeoutGraceMs, new Invocation(InvocationEnd.timedOut, undefined, late));
  }

  private onCancel(reason: string): void {
    const text: string = reason === '' ? 'Tool cancelled' : reason;
    this.tell(text);
    this.endAfter(this.grace.cancelGraceMs,
      new Invocation(InvocationEnd.cancelled, undefined, ArkAgentError.of(ErrorCode.toolCancelled, text)));
  }

  /** What cannot be stopped is not told to: half a stop would be worse than none. */
  private tell(reason: string): void {
    if (this.cancellation !== ToolCancellation.none) {
      this.own.cancel(reason);
    }
  }

  /** Not while it is being stopped: whoever waits for the grace wants to know how it ends. */
  private detachNow(): boolean {
    if (this.ended || this.own.signal.cancelled || this.graceEnd !== undefined || this.way === undefined || !this.way.take()) {
      return false;
    }
    const timeoutMs: number = this.way.timeoutMs;
    this.finish(new Invocation(InvocationEnd.detached, undefined, undefined));
    if (timeoutMs > 0) {
      this.jobEnd = this.scheduler.schedule(timeoutMs, (): void => this.onJobDeadline(timeoutMs));
    }
    return true;
  }

  private onJobDeadline(timeoutMs: number): void {
    this.tell(ErrorCode.toolTimeout);
    const graceMs: number = this.cancellation === ToolCancellation.immediate ? 0 : this.grace.timeoutGraceMs;
    this.jobEnd = this.scheduler.schedule(graceMs, (): void => this.hand(new Invocation(InvocationEnd.timedOut, undefined,
      ArkAgentError.of(ErrorCode.toolTimeout, `the job did not end within ${timeoutMs} ms`))));
  }

  private endAfter(graceMs: number, end: Invocation): void {
    if (this.ended || this.patient || this.graceEnd !== undefined) {
      return;
    }
    const waitMs: number = this.cancellation === ToolCancellation.immediate ? 0 : graceMs;
    this.graceEnd = this.scheduler.schedule(waitMs, (): void => this.finish(end));
  }

  /** Once, and whatever the listener does stays there: the attempt has ended. */
  private tellLate(end: Invocation): void {
    if (this.late || (end.end !== InvocationEnd.settled && end.end !== InvocationEnd.threw)) {
      return;
    }
    this.late = true;
    this.jobEnd?.cancel();
    this.hand(end);
  }

  private hand(late: Invocation): void {
    try {
      this.onLate(late);
    } catch (e) {
      // What cannot be filtered cannot be recorded either; the call keeps the answer that it has.
    }
  }

  private finish(end: Invocation): void {
    if (this.ended) {
      this.tellLate(end);
      return;
    }
    this.ended = true;
    this.deadline?.cancel();
    this.graceEnd?.cancel();
    this.jobStart?.cancel();
    if (this.detach !== undefined) {
      this.detach();
    }
    this.resolve(end);
  }
}

/** What foreign code threw, in a form that can be told; a thrown value may be anything, and every look at it may throw again. */
function thrownError(thrown: Object | null | undefined): ArkAgentError {
  try {
    if (thrown instanceof ArkAgentError) {
      return typeof thrown.code === 'string' && OWN_CODE.test(thrown.code) && typeof thrown.message === 'string' ? thrown : failed();
    }
    if (thrown instanceof Error) {
      return typeof thrown.message === 'string' ?
        ArkAgentError.of(ErrorCode.toolExecutionFailed, thrown.message, { cause: thrown }) : failed();
    }
    return ArkAgentError.of(ErrorCode.toolExecutionFailed, `the tool threw a value that is no Error (${typeof thrown})`);
  } catch (e) {
    return failed();
  }
}

function failed(): ArkAgentError {
  return ArkAgentError.of(ErrorCode.toolExecutionFailed, 'the tool failed and does not say why');
}

/** How a code is written, whoever it is of. */
const OWN_CODE: RegExp = new RegExp('^[a-z][a-z0-9_]{0,63}$');
