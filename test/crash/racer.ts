import { writeSync } from 'node:fs';
import { ErrorCode, type AgentState } from 'agent_core';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { openFileStateStorage } from '../../host/src/storage/openFileStateStorage';

/** Commits a number of times to a session that others write too, taking up what they wrote after each state_conflict. */
const [directory, sessionId, commits] = process.argv.slice(2);
const storage = openFileStateStorage(directory, { minLogBytes: 16 * 1024, sync: false });
for (let done = 0; done < Number(commits);) {
  const state: AgentState = (await storage.load(sessionId)).value ?? SampleStates.fresh(sessionId);
  const next = SampleStates.exchanged(state, `pid${process.pid}`);
  const outcome = await storage.commit(SampleStates.commit(state, next));
  if (outcome.ok) {
    writeSync(1, `${outcome.value} ${next.commitId}\n`);
    done++;
  } else if (outcome.error.code !== ErrorCode.stateConflict) {
    throw outcome.error;
  }
}
await storage.close();
