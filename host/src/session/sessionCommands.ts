import {
  ApprovalDecision, BaseObserver, SessionRemoval, type AgentEvent, type ApprovalDecisionResult, type ArkAgentError, type PendingApprovalItem, type SessionSummary,
} from 'agent_core';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { ExitCode } from '../ExitCode';
import { exitCodeOf, faultLine } from '../SessionFault';
import { UsageError } from '../UsageError';
import { DEMO_SESSION_ID, DemoAgent } from '../demo/DemoAgent';
import { DemoFolder } from '../demo/DemoFolder';
import { onlineModelOf } from '../demo/DemoOptions';
import type { DemoOutput } from '../demo/DemoOutput';
import { HostWords } from '../demo/HostWords';
import { JsonOutput } from '../demo/JsonOutput';
import { PlainOutput } from '../demo/PlainOutput';
import { openFileStateStorage } from '../storage/openFileStateStorage';
import { TerminalStyle } from '../terminal/TerminalStyle';

export interface SessionFlags {
  lang: string;
  json?: boolean;
  workspace?: string;
  allowHost?: string[];
  /** As for demo: the model that a resume asks. */
  baseUrl?: string;
  model?: string;
}

export interface DecideFlags extends SessionFlags {
  id?: string;
  approve?: boolean;
  deny?: boolean;
  reason?: string;
  args?: string;
}

/** `arkagent session list DIR`: the sessions of a demonstration folder with their open questions. */
export async function listCommand(directory: string, flags: SessionFlags): Promise<ExitCode> {
  const folder = existing(directory);
  const storage = openFileStateStorage(folder.session);
  const listed = await storage.list();
  await storage.close();
  if (!listed.ok) return failed(listed.error, flags);
  for (const session of listed.value) write(sessionLine(session, flags));
  if (!listed.value.some((session: SessionSummary) => session.sessionId === DEMO_SESSION_ID && session.resumable)) return ExitCode.Done;
  const agent = await open(folder, flags);
  if (typeof agent === 'number') return agent;
  for (const item of agent.controller.listPendingApprovals()) write(itemLine(item, agent, flags));
  await agent.runtime.close();
  return ExitCode.Done;
}

/** `arkagent session decide DIR`: stores one decision and leaves; nothing runs. */
export async function decideCommand(directory: string, flags: DecideFlags): Promise<ExitCode> {
  if ((flags.approve === true) === (flags.deny === true)) throw new UsageError('say either --approve or --deny');
  if (flags.deny === true && flags.args !== undefined) throw new UsageError('--args goes with --approve');
  if (flags.approve === true && flags.reason !== undefined) throw new UsageError('--reason goes with --deny');
  const agent = await open(existing(directory), flags);
  if (typeof agent === 'number') return agent;
  try {
    const id = flags.id ?? onlyQuestion(agent);
    const result = await decide(agent, id, flags);
    if (!result.ok) return failed(result.error!, flags);
    const line = { type: 'decision', approvalId: id, decision: result.decision, allDecided: result.allDecided };
    write(flags.json === true ? JSON.stringify(line) : `${id}: ${hostWords(flags).decision(result.decision === ApprovalDecision.denied)}`);
    return ExitCode.Done;
  } finally {
    await agent.runtime.close();
  }
}

/** `arkagent session resume DIR`: carries out what was decided and goes on to the next question or the end. */
export async function resumeCommand(directory: string, flags: SessionFlags): Promise<ExitCode> {
  const folder = existing(directory);
  const agent = await open(folder, flags);
  if (typeof agent === 'number') return agent;
  const output = outputOf(agent, folder, flags);
  try {
    const outcome = await agent.runtime.resume(new Forwarder(output));
    if (!outcome.ok) {
      output.failed(outcome.error);
      return agent.controller.listPendingApprovals().length > 0 ? ExitCode.QuestionOpen : exitCodeOf(outcome.error);
    }
    if (outcome.value.kind === 'suspended') return ExitCode.QuestionOpen;
    output.ended(outcome.value.stopReason);
    return ExitCode.Done;
  } finally {
    await agent.runtime.close();
  }
}

export interface RemoveFlags {
  lang: string;
  json?: boolean;
  id?: string;
  yes?: boolean;
}

/** `arkagent session remove DIR`: a session with its child sessions. Records, notes, cache and audit of the folder stay. */
export async function removeCommand(directory: string, flags: RemoveFlags): Promise<ExitCode> {
  if (flags.yes !== true) throw new UsageError('a removed session cannot be brought back: say --yes');
  const id = flags.id ?? DEMO_SESSION_ID;
  const storage = openFileStateStorage(existing(directory).session);
  const before = await storage.list();
  const removed = await new SessionRemoval(storage).remove(id);
  const after = await storage.list();
  await storage.close();
  if (!removed.ok) return failed(removed.error, flags);
  if (!removed.value) throw new UsageError(`there is no session ${id}`);
  const left = new Set(after.ok ? after.value.map((session: SessionSummary) => session.sessionId) : []);
  for (const { sessionId } of before.ok ? before.value : []) {
    if (!left.has(sessionId)) write(flags.json === true ? JSON.stringify({ type: 'removed', sessionId }) : hostWords(flags).sessionRemoved(sessionId));
  }
  return ExitCode.Done;
}

class Forwarder extends BaseObserver<AgentEvent> {
  constructor(private readonly output: DemoOutput) {
    super();
  }

  override onNext(event: AgentEvent): void {
    this.output.event(event);
  }
}

function existing(directory: string): DemoFolder {
  const folder = new DemoFolder(directory);
  folder.requireExisting();
  return folder;
}

async function open(folder: DemoFolder, flags: SessionFlags): Promise<DemoAgent | ExitCode> {
  const named = flags.workspace !== undefined || flags.allowHost !== undefined;
  const workspace = named ? await (await import('../demo/openWorkspace')).openWorkspace(flags) : undefined;
  const address = onlineModelOf(flags);
  const online = address === undefined ? {} : { online: (await import('../demo/OnlineModel')).onlineModel(address) };
  const agent = await DemoAgent.open({ folder, language: flags.lang, deltaDelayMs: 0, workspace, ...online });
  return agent.ok ? agent.value : failed(agent.error, flags);
}

function decide(agent: DemoAgent, id: string, flags: DecideFlags): Promise<ApprovalDecisionResult> {
  if (flags.deny === true) return agent.controller.deny(id, flags.reason);
  return flags.args === undefined ? agent.controller.approve(id) : agent.controller.approveWithArguments(id, flags.args);
}

function onlyQuestion(agent: DemoAgent): string {
  const open = agent.controller.listPendingApprovals();
  if (open.length === 1) return open[0]!.approvalId;
  throw new UsageError(open.length === 0 ? 'no question is open' : '--id is needed: several questions are open');
}

function outputOf(agent: DemoAgent, folder: DemoFolder, flags: SessionFlags): DemoOutput {
  if (flags.json === true) return new JsonOutput(write);
  const style = new TerminalStyle(process.stdout, process.env);
  return new PlainOutput({
    write: (text) => process.stdout.write(text), words: new Words(flags.lang), style, captions: agent.captions,
    savedIn: folder.shown(folder.session),
  });
}

function sessionLine(session: SessionSummary, flags: SessionFlags): string {
  return flags.json === true ? JSON.stringify({ type: 'session', ...session }) :
    `${session.sessionId}  ${timeOf(session)}  ${hostWords(flags).resumable(session.resumable)}`;
}

/** A session that cannot be read has no time. */
function timeOf(session: SessionSummary): string {
  return session.updatedAtMs === 0 ? '-' : new Date(session.updatedAtMs).toISOString();
}

function itemLine(item: PendingApprovalItem, agent: DemoAgent, flags: SessionFlags): string {
  const sentence = agent.captions.sentence(item.toolCall, new Words(flags.lang));
  const line = { type: 'question', approvalId: item.approvalId, tool: item.toolCall.name, risk: item.riskLevel, digest: item.digest, sentence };
  return flags.json === true ? JSON.stringify(line) : `  ? ${item.approvalId}  ${sentence}`;
}

function hostWords(flags: SessionFlags): HostWords {
  return new HostWords(new Words(flags.lang).chinese);
}

function failed(error: ArkAgentError, flags: SessionFlags): ExitCode {
  process.stderr.write(`${faultLine(error, new Words(flags.lang))}\n`);
  return exitCodeOf(error);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
