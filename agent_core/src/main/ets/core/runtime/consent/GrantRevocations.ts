import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { PersistReason } from '../../state/PersistReason';
import { RunStatus } from '../../state/RunRecord';
import { StateSlice } from '../../state/StateSlice';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { GrantBook } from './GrantBook';
import { RunReporter } from '../report/RunReporter';
import { SessionStore } from '../store/SessionStore';
import { PersistScope, PersistVerdict, StatePersister } from '../store/StatePersister';

/** What revocations are made of. */
export interface GrantRevocationsParts {
  store: SessionStore;
  persister: StatePersister;
  grants: GrantBook;
  state: ReadonlyAgentState;
  reporterFor: (runId: string) => RunReporter;
}

/** Owners of one session that may write in between before a revocation gives up. */
const MAX_TRIES: number = 10;

/** Takes remembered grants back, on the disk before that is reported. The draft forgets at once: no call starts on it meanwhile. */
export class GrantRevocations {
  private readonly parts: GrantRevocationsParts;

  constructor(parts: GrantRevocationsParts) {
    this.parts = parts;
  }

  async revoke(grantId: string): Promise<Result<boolean, ArkAgentError>> {
    let result: Result<boolean, ArkAgentError> = await this.attempt(grantId);
    for (let tries: number = 1; tries < MAX_TRIES && !result.ok && result.error.code === ErrorCode.stateConflict; tries++) {
      if (this.parts.store.draft.run?.status === RunStatus.running) {
        return result;
      }
      result = await this.attempt(grantId);
    }
    return result;
  }

  private attempt(grantId: string): Promise<Result<boolean, ArkAgentError>> {
    return this.parts.store.exclusive(async (): Promise<Result<boolean, ArkAgentError>> => {
      const before: ReadonlyMap<string, StateSlice> = this.parts.store.draft.slices;
      if (!this.parts.grants.remove(grantId)) {
        return Result.success<boolean, ArkAgentError>(false);
      }
      const after: ReadonlyMap<string, StateSlice> = this.parts.store.draft.slices;
      const scope: PersistScope = {
        state: this.parts.state, reporter: this.parts.reporterFor(this.parts.store.draft.run?.runId ?? '')
      };
      const verdict: PersistVerdict = await this.parts.persister.persist(PersistReason.approvalDecision, scope);
      if (verdict.stored) {
        return Result.success<boolean, ArkAgentError>(true);
      }
      if (verdict.conflict && this.parts.store.draft.run?.status !== RunStatus.running) {
        await this.parts.store.reload();
      } else if (this.parts.store.draft.slices === after) {
        this.parts.store.draft.slices = before;
      }
      return Result.failure<boolean, ArkAgentError>(verdict.error as ArkAgentError);
    });
  }
}
