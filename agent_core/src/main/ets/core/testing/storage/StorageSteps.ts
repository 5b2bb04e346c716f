import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { AgentState } from '../../state/AgentState';
import { StateCodec } from '../../state/codec/StateCodec';
import { NotResumableMark, SessionSummary, StateStorage } from '../../state/StateStorage';
import { Check } from './Check';
import { SampleStates } from './SampleStates';

/** What the cases do again and again. */
export class StorageSteps {
  static async commit(storage: StateStorage, stored: AgentState, next: AgentState): Promise<AgentState> {
    const revision: number = Check.value(await storage.commit(SampleStates.commit(stored, next)), 'commit');
    Check.same(revision, next.revision, 'revision of the commit');
    return next;
  }

  static async load(storage: StateStorage, sessionId: string): Promise<AgentState | undefined> {
    return Check.value(await storage.load(sessionId), `load of ${JSON.stringify(sessionId)}`);
  }

  /** The stored state, as JSON text; empty for none. */
  static async stored(storage: StateStorage, sessionId: string): Promise<string> {
    const state: AgentState | undefined = await StorageSteps.load(storage, sessionId);
    return state === undefined ? '' : StorageSteps.text(state);
  }

  static async expectStored(storage: StateStorage, state: AgentState, what: string): Promise<void> {
    Check.same(await StorageSteps.stored(storage, state.sessionId), StorageSteps.text(state), what);
  }

  static text(state: AgentState): string {
    return Check.value(new StateCodec().encode(state), 'encode');
  }

  /** A session with one exchange. */
  static async begin(storage: StateStorage, sessionId: string, writer: string): Promise<AgentState> {
    const fresh: AgentState = SampleStates.fresh(sessionId);
    return StorageSteps.commit(storage, fresh, SampleStates.exchanged(fresh, writer));
  }

  static mark(state: AgentState): NotResumableMark {
    const mark: NotResumableMark = {
      sessionId: state.sessionId, runId: state.run === undefined ? '' : state.run.runId,
      expectedRevision: state.revision, expectedIncarnation: state.incarnation
    };
    return mark;
  }

  static async line(storage: StateStorage, sessionId: string): Promise<SessionSummary | undefined> {
    const listed: Result<ReadonlyArray<SessionSummary>, ArkAgentError> = await storage.list();
    return Check.value(listed, 'list').find((line: SessionSummary): boolean => line.sessionId === sessionId);
  }
}
