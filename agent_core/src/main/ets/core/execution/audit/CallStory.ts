import { AuditRecord, AuditStep } from '../../port/AuditSink';
import { AUDIT_FIELDS } from './AuditFields';
import { AuditFieldText, AuditLine } from './AuditLine';

/** One step of a call, for a person who asks what happened. */
export interface CallStoryStep {
  step: string;
  decider: string;
  decision: string;
  code: string;
  timeMs: number;
}

/** What the records tell about one call: nothing else is needed for a post-mortem. */
export class CallStory {
  readonly sessionId: string;
  readonly runId: string;
  readonly batchId: string;
  readonly callId: string;
  readonly position: number;
  /** The last name; a hook may have changed it. */
  readonly tool: string;
  /** In the order in which they were recorded. */
  readonly steps: ReadonlyArray<CallStoryStep>;

  private constructor(records: ReadonlyArray<AuditRecord>) {
    const last: AuditRecord = records[records.length - 1];
    this.sessionId = last.sessionId;
    this.runId = last.runId;
    this.batchId = last.batchId;
    this.callId = last.callId;
    this.position = last.position;
    this.tool = last.tool;
    this.steps = records.map<CallStoryStep>((entry: AuditRecord) => {
      const step: CallStoryStep = {
        step: entry.step, decider: entry.decider, decision: entry.decision, code: entry.code, timeMs: entry.timeMs
      };
      return step;
    });
  }

  /** The calls of all records, in the order in which they appear first. */
  static all(records: ReadonlyArray<AuditRecord>): ReadonlyArray<CallStory> {
    const byCall: Map<string, AuditRecord[]> = new Map<string, AuditRecord[]>();
    for (const entry of records) {
      if (entry.position < 0) {
        continue;
      }
      const key: string = [entry.sessionId, entry.batchId, `${entry.position}`, entry.callId].join('\n');
      const known: AuditRecord[] | undefined = byCall.get(key);
      if (known === undefined) {
        byCall.set(key, [entry]);
      } else {
        known.push(entry);
      }
    }
    return Array.from(byCall.values()).map<CallStory>((found: AuditRecord[]) => new CallStory(found));
  }

  /** The record of a line; a detail that was taken out is shown as `#` and the start of its commitment. */
  static recordOf(line: AuditLine): AuditRecord {
    const shown: string[] = line.fields.map<string>((field: AuditFieldText) =>
      field.commitment === undefined ? field.value ?? '' : `#${field.commitment.substring(0, 8)}`);
    const entry: AuditRecord = {
      sessionId: shown[0], runId: shown[1], batchId: shown[2], callId: shown[3], tool: shown[4], decider: shown[AUDIT_FIELDS.length - 1],
      position: line.position, step: line.step, decision: line.decision, code: line.code, timeMs: line.timeMs
    };
    return entry;
  }

  /** The executor was entered. */
  get ran(): boolean {
    return this.steps.some((step: CallStoryStep) => step.step === AuditStep.started);
  }

  /** ok, rejected, failed, cancelled or unknown; undefined while the call has no answer. */
  get status(): string | undefined {
    return this.closing()?.decision;
  }

  /** Error code of the answer; empty when there is none. */
  get code(): string {
    return this.closing()?.code ?? '';
  }

  private closing(): CallStoryStep | undefined {
    for (let i: number = this.steps.length - 1; i >= 0; i--) {
      if (this.steps[i].step === AuditStep.closed) {
        return this.steps[i];
      }
    }
    return undefined;
  }
}
