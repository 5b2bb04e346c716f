import { SessionRemoval } from 'agent_core';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { DEMO_SESSION_ID } from '../demo/DemoAgent';
import { DemoFolder } from '../demo/DemoFolder';
import { HostWords } from '../demo/HostWords';
import { ExitCode } from '../ExitCode';
import { exitCodeOf, faultLine } from '../SessionFault';
import { openFileStateStorage } from '../storage/openFileStateStorage';
import { UsageError } from '../UsageError';

export interface RemoveFlags {
  lang: string;
  json?: boolean;
  id?: string;
  yes?: boolean;
}

/** `arkagent session remove DIR`: a session with its child sessions. Records, notes, cache and audit of the folder stay. */
export async function removeCommand(directory: string, flags: RemoveFlags): Promise<ExitCode> {
  if (flags.yes !== true) throw new UsageError('a removed session cannot be brought back: say --yes');
  const folder = new DemoFolder(directory);
  folder.requireExisting();
  const id = flags.id ?? DEMO_SESSION_ID;
  const storage = openFileStateStorage(folder.session);
  const before = await storage.list();
  const removed = await new SessionRemoval(storage).remove(id);
  const after = await storage.list();
  await storage.close();
  if (!removed.ok) {
    process.stderr.write(`${faultLine(removed.error, new Words(flags.lang))}\n`);
    return exitCodeOf(removed.error);
  }
  if (!removed.value) throw new UsageError(`there is no session ${id}`);
  const words = new HostWords(new Words(flags.lang).chinese);
  const left = new Set(after.ok ? after.value.map((session) => session.sessionId) : []);
  for (const session of before.ok ? before.value : []) {
    if (!left.has(session.sessionId)) write(flags.json === true ? JSON.stringify({ type: 'removed', sessionId: session.sessionId }) : words.sessionRemoved(session.sessionId));
  }
  return ExitCode.Done;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
