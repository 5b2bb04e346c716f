import { JsonObject } from '../../json/JsonObject';
import { AgentMessage } from '../../message/AgentMessage';
import { CallResult } from '../../state/CallResult';
import { OpenCall } from '../../state/OpenCall';
import { SliceAccess } from '../../state/SliceAccess';
import { ToolCallStatus } from '../../tool/ToolResultEnvelope';
import { SliceList } from '../store/SliceList';

/** What a call answered after it had been given up. */
export interface LateResult {
  batchId: string;
  position: number;
  callId: string;
  toolName: string;
  failed: boolean;
  /** Redacted and limited. */
  text: string;
  /** Set for a job; its call had been answered with that. */
  jobId?: string;
  /** A job of which nobody knows what it did. */
  lost?: boolean;
  /** A job that did not end in time; nobody knows what it did. */
  unknown?: boolean;
  /** The model hears of it before its next call; false after a cancel: then it is only recorded (DEC-36). */
  tell: boolean;
}

/** Those that are only recorded; the oldest go first. */
const KEPT: number = 32;

/** Late results whose batch is closed, in the slice `lateResults` (S9, DEC-36). Changes the draft, writes nothing. */
export class LateResults {
  static readonly SLICE: string = 'lateResults';
  private readonly results: SliceList<LateResult>;

  constructor(slices: SliceAccess) {
    this.results = new SliceList<LateResult>(slices, LateResults.SLICE, 'results', decode, encode);
  }

  list(): ReadonlyArray<LateResult> {
    return this.results.get();
  }

  add(result: LateResult): void {
    const silent: ReadonlyArray<LateResult> = this.results.get().filter((known: LateResult) => !known.tell).slice(-KEPT);
    const waiting: ReadonlyArray<LateResult> = this.results.get().filter((known: LateResult) => known.tell);
    this.results.set(silent.concat(waiting, [result]));
  }

  /** A batch leaves the journal: what arrived late meanwhile stays. */
  collect(batchId: string, callIds: ReadonlyArray<string>, calls: ReadonlyArray<OpenCall>, tell: boolean): void {
    for (const call of calls) {
      if (call.lateResult !== undefined) {
        this.add(lateResult(batchId, call.position, callIds[call.position], call.effective.name, call.lateResult, tell));
      }
    }
  }

  /** The notes that the model has not had yet, each once: they belong into the history now. */
  takeNotes(): ReadonlyArray<AgentMessage> {
    const waiting: ReadonlyArray<LateResult> = this.results.get().filter((known: LateResult) => known.tell);
    if (waiting.length === 0) {
      return [];
    }
    this.results.set(this.results.get().filter((known: LateResult) => !known.tell));
    return waiting.map<AgentMessage>((result: LateResult) => AgentMessage.user(note(result)));
  }
}

/** A late result as it is kept. */
export function lateResult(batchId: string, position: number, callId: string, toolName: string, result: CallResult,
  tell: boolean): LateResult {
  const late: LateResult = {
    batchId: batchId, position: position, callId: callId, toolName: toolName,
    failed: result.status !== ToolCallStatus.ok, text: result.toToolResult().text(), tell: tell
  };
  return late;
}

function note(result: LateResult): string {
  if (result.jobId !== undefined) {
    return jobNote(result, result.jobId);
  }
  return `[late result] The call ${result.callId} (${result.toolName}), which had been given up, ` +
    `${result.failed ? 'has failed' : 'has ended well'} after all. It is not to be repeated for that. Its answer: ${result.text}`;
}

function jobNote(result: LateResult, jobId: string): string {
  const name: string = `The job ${jobId} (${result.toolName}, call ${result.callId})`;
  return result.lost === true ?
    `[job lost] ${name} ran when the app was closed. Nobody knows what it did: it is not to be repeated before that is clear.` :
    `[job ended] ${name} ${outcome(result)}. Its answer: ${result.text}`;
}

function outcome(result: LateResult): string {
  if (result.unknown === true) {
    return 'did not end in time, and nobody knows what it did';
  }
  return result.failed ? 'has failed' : 'has ended well';
}

function decode(json: JsonObject): LateResult | undefined {
  const callId: string | undefined = json.getString('callId');
  const toolName: string | undefined = json.getString('toolName');
  if (callId === undefined || toolName === undefined) {
    return undefined;
  }
  const result: LateResult = {
    batchId: json.getString('batchId') ?? '', position: json.getNumber('position') ?? 0, callId: callId,
    toolName: toolName, failed: json.getBoolean('failed') ?? false, text: json.getString('text') ?? '',
    tell: json.getBoolean('tell') ?? false, jobId: json.getString('jobId'), lost: json.getBoolean('lost'),
    unknown: json.getBoolean('unknown')
  };
  return result;
}

function encode(result: LateResult): JsonObject {
  const json: JsonObject = new JsonObject().setString('batchId', result.batchId).setNumber('position', result.position)
    .setString('callId', result.callId).setString('toolName', result.toolName).setBoolean('failed', result.failed)
    .setString('text', result.text).setBoolean('tell', result.tell);
  if (result.jobId !== undefined) {
    json.setString('jobId', result.jobId).setBoolean('lost', result.lost ?? false);
  }
  if (result.unknown === true) {
    json.setBoolean('unknown', true);
  }
  return json;
}
