import { writeSync } from 'node:fs';
import { AgentState, ArkAgentError, Result } from 'agent_core';
import { SampleStates } from '@core/testing/storage/SampleStates';
import { openFileStateStorage } from '../../host/src/storage/openFileStateStorage';

/** Commits to one session until it is killed; prints the revision of each commit after it resolved. */
const [directory, sessionId] = process.argv.slice(2);
const storage = openFileStateStorage(directory, { minLogBytes: 8 * 1024 });
const loaded: Result<AgentState | undefined, ArkAgentError> = await storage.load(sessionId);
let state: AgentState = loaded.value ?? SampleStates.fresh(sessionId);
for (;;) {
  const next = SampleStates.exchanged(state, `pid${process.pid}`);
  const outcome = await storage.commit(SampleStates.commit(state, next));
  if (!outcome.ok) throw outcome.error;
  writeSync(1, `${outcome.value} ${next.commitId}\n`);
  state = next;
}
