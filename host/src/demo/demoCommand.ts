import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { ExitCode } from '../ExitCode';
import { exitCodeOf, faultLine } from '../SessionFault';
import { UsageError } from '../UsageError';
import { openFileStateStorage } from '../storage/openFileStateStorage';
import { Interrupts } from '../terminal/Interrupts';
import { LinePerson } from '../terminal/LinePerson';
import { LineReader } from '../terminal/LineReader';
import type { Person } from '../terminal/Person';
import { TerminalStyle } from '../terminal/TerminalStyle';
import type { WorkspaceToolSet } from '../tools/WorkspaceToolSet';
import { DEMO_SESSION_ID, DemoAgent, type OnlineModel } from './DemoAgent';
import { DemoFolder } from './DemoFolder';
import { DemoLoop } from './DemoLoop';
import { onlineModelOf, type DemoFlags, type OnlineAddress } from './DemoOptions';
import type { DemoOutput } from './DemoOutput';
import { HostWords } from './HostWords';
import { JsonOutput } from './JsonOutput';
import { PlainOutput } from './PlainOutput';

/** Pause between two pieces of the offline model's text, where a person watches. */
const READING_DELAY_MS = 25;

/** Narrower than this, prompts that redraw themselves break into single letters. */
const MIN_COLUMNS = 20;

/** `arkagent demo`. */
export async function demoCommand(flags: DemoFlags): Promise<ExitCode> {
  const online = onlineModelOf(flags);
  const folder = new DemoFolder(flags.dir);
  const host = new HostWords(flags.lang === 'zh');
  const kept = flags.reset === true ? folder.reset(await isUnreadable(folder)) : undefined;
  if (kept !== undefined) process.stderr.write(`${host.keptAside(folder.shown(kept))}\n`);
  folder.create();
  if (flags.auto === true) {
    const { autoCommand } = await import('./autoCommand');
    return autoCommand(folder, flags);
  }
  const words = new Words(flags.lang);
  const workspace = await workspaceOf(flags);
  const interactive = flags.json !== true && isTerminal();
  const agent = await DemoAgent.open({
    folder, language: flags.lang, deltaDelayMs: interactive ? READING_DELAY_MS : 0,
    ...(online === undefined ? {} : { online: await onlineModel(online) }), dieAfterEffect: flags.die === 'after-effect', workspace,
  });
  if (!agent.ok) {
    const code = exitCodeOf(agent.error);
    const hint = code === ExitCode.SessionUnusable ? ` ${host.resetHint()}` : '';
    process.stderr.write(`${faultLine(agent.error, words)}${hint}\n`);
    return code;
  }
  if (workspace !== undefined && flags.json !== true) process.stderr.write(`${agent.value.catalog.summary().toText()}\n`);
  return converse(agent.value, folder, flags, { interactive, words, online: online !== undefined });
}

/** Whether the folder's session exists and cannot be loaded: broken, of a newer version, or out of reach. Such a one is never emptied away. */
async function isUnreadable(folder: DemoFolder): Promise<boolean> {
  if (!folder.holdsDemonstration()) return false;
  const storage = openFileStateStorage(folder.session);
  const loaded = await storage.load(DEMO_SESSION_ID);
  await storage.close();
  return !loaded.ok;
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb' && process.stdout.columns >= MIN_COLUMNS;
}

async function workspaceOf(flags: DemoFlags): Promise<WorkspaceToolSet | undefined> {
  if (flags.workspace === undefined && flags.allowHost === undefined) return undefined;
  const { openWorkspace } = await import('./openWorkspace');
  return openWorkspace(flags);
}

async function onlineModel(address: OnlineAddress): Promise<OnlineModel> {
  return (await import('./OnlineModel')).onlineModel(address);
}

interface Setting {
  readonly interactive: boolean;
  readonly words: Words;
  readonly online: boolean;
}

async function converse(agent: DemoAgent, folder: DemoFolder, flags: DemoFlags, setting: Setting): Promise<ExitCode> {
  const { words, interactive } = setting;
  const host = new HostWords(words.chinese);
  const interrupts = new Interrupts();
  const person = await personAt(flags, setting, host);
  try {
    return await new DemoLoop({
      agent, person, interrupts, words, output: outputOf(agent, folder, flags, words), suggestion: host.suggestion(),
      firstMessage: flags.ask ?? (!interactive && agent.isFresh ? host.suggestion() : undefined), once: flags.once === true,
      mayKill: interactive && !agent.runtime.restored, dieAfterDecision: flags.die === 'after-decision', online: setting.online,
    }).run();
  } finally {
    person.close();
    interrupts.close();
    await agent.runtime.close();
  }
}

async function personAt(flags: DemoFlags, setting: Setting, host: HostWords): Promise<Person> {
  if (setting.interactive) {
    const { PromptPerson } = await import('../terminal/PromptPerson');
    return new PromptPerson(setting.words, host.killChoice());
  }
  const prompt = flags.json === true ? (): void => {} : (line: string): void => void process.stdout.write(`${line}\n`);
  return new LinePerson(new LineReader(process.stdin), prompt, setting.words, flags.json !== true);
}

function outputOf(agent: DemoAgent, folder: DemoFolder, flags: DemoFlags, words: Words): DemoOutput {
  if (flags.json === true) return new JsonOutput((line) => process.stdout.write(`${line}\n`));
  return new PlainOutput({
    write: (text) => process.stdout.write(text), words, style: new TerminalStyle(process.stdout, process.env), captions: agent.captions,
    savedIn: folder.shown(folder.session),
  });
}
