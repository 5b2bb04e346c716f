import { BackgroundDesk } from '../../control/BackgroundDesk';
import { CallJobs } from '../../execution/run/JobWay';
import { CallInspection, OpenCall } from '../../state/OpenCall';
import { BatchWork } from '../ledger/BatchWork';
import { UnknownEffect, UnknownEffects } from '../ledger/UnknownEffects';

/** Where the calls of a batch become jobs, and what the session notes of that. */
export class BatchJobs {
  /** The effect of a job stays open until the job ends: proposing it again meanwhile, or after a kill, asks a person. */
  static at(desk: BackgroundDesk, work: BatchWork, effects: UnknownEffects): CallJobs {
    const jobs: CallJobs = {
      desk: desk,
      runId: work.runId,
      onJob: (position: number): void => {
        const entry: OpenCall = work.at(position);
        if (entry.digest !== undefined && work.prepared[position]?.hasEffect === true) {
          const effect: UnknownEffect = {
            batchId: work.batchId, position: position, toolName: entry.effective.name, digest: entry.digest
          };
          effects.begun(effect);
        }
      },
      onInspection: (position: number, tool: string, jobId: string): void => {
        const inspection: CallInspection = { tool: tool, jobId: jobId };
        work.set(work.at(position).withInspection(inspection));
      }
    };
    return jobs;
  }
}
