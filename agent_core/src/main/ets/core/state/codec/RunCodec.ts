import { JsonWriter } from '../../json/JsonWriter';
import { AgentStopReason } from '../AgentStopReason';
import { RunRecord, RunRecordInit, RunStatus } from '../RunRecord';
import { DocumentReader } from './DocumentReader';
import { ObjectText } from './ObjectText';

const STATUSES: ReadonlyArray<RunStatus> = [RunStatus.running, RunStatus.suspended, RunStatus.finished];
const REASONS: ReadonlyArray<AgentStopReason> = [
  AgentStopReason.complete, AgentStopReason.toolStop, AgentStopReason.hookStop, AgentStopReason.awaitingApproval,
  AgentStopReason.awaitingPlanReview, AgentStopReason.suspended, AgentStopReason.cancelled, AgentStopReason.aborted,
  AgentStopReason.loopDetected, AgentStopReason.maxTurns, AgentStopReason.error
];

const STOPS: ReadonlyArray<AgentStopReason> = [AgentStopReason.toolStop, AgentStopReason.hookStop];

/** `{runId,status,segment,turn,modelRetries?,pendingStop?,stopReason?}`. */
export class RunCodec {
  static encode(run: RunRecord, writer: JsonWriter): string {
    const text: ObjectText = new ObjectText(writer)
      .string('runId', run.runId)
      .string('status', run.status)
      .number('segment', run.segment)
      .number('turn', run.turn);
    if (run.modelRetries !== 0) {
      text.number('modelRetries', run.modelRetries);
    }
    return text.optionalString('pendingStop', run.pendingStop).optionalString('stopReason', run.stopReason).end();
  }

  static decode(reader: DocumentReader): RunRecord {
    const init: RunRecordInit = {
      runId: reader.string('runId'),
      status: reader.choice<RunStatus>('status', STATUSES),
      segment: reader.count('segment'),
      turn: reader.count('turn'),
      stopReason: reader.has('stopReason') ? reader.choice<AgentStopReason>('stopReason', REASONS) : undefined,
      modelRetries: reader.optionalCount('modelRetries'),
      pendingStop: reader.has('pendingStop') ? reader.choice<AgentStopReason>('pendingStop', STOPS) : undefined
    };
    return new RunRecord(init);
  }
}
