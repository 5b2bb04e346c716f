import { Command, Option, type CommanderError } from 'commander';
import { ExitCode, exitCodeHelp } from './ExitCode';
import { UsageError } from './UsageError';
import { DEATHS, LANGUAGES, languageOf, type DemoFlags } from './demo/DemoOptions';
import type { AuditFlags } from './audit/auditCommand';
import type { DecideFlags, RemoveFlags, SessionFlags } from './session/sessionCommands';

/** Runs one command. Everything heavy is loaded by the command that needs it, so that a resume starts quickly. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  outliveReaders();
  let code = ExitCode.Done;
  const program = createProgram((result) => {
    code = result;
  });
  if (args[0] === 'stream' || args[0] === 'help' || args.length === 0 || args[0]!.startsWith('-')) await addStream(program, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error as Error);
  }
}

function createProgram(done: (code: ExitCode) => void): Command {
  const program = quiet(new Command('arkagent'))
    .description('The ArkAgent runtime on Node: a demonstration, its sessions, and recorded model streams')
    .version('1.0.0')
    // Else `session list DIR --json` would give its --json to `session`, which has one too.
    .enablePositionalOptions()
    .addHelpText('after', `\n${exitCodeHelp()}`);
  addDemo(program, done);
  addSession(program, done);
  return program;
}

function addDemo(program: Command, done: (code: ExitCode) => void): void {
  quiet(program.command('demo'))
    .description('Talk to the baking assistant; its dangerous tool asks, and the question survives a kill -9')
    .option('--dir <folder>', 'where session and files live', './.demo')
    .addOption(languageOption())
    .option('--auto', 'play the whole story without a keyboard, kill real processes, check every promise')
    .option('--base-url <url>', 'any OpenAI-compatible endpoint; the key comes from ARKAGENT_API_KEY')
    .option('--model <name>', 'model of that endpoint')
    .option('--reset', 'empty the folder first')
    .option('--ask <text>', 'say this first, when no question is open')
    .option('--once', 'leave after the first answer')
    .option('--json', 'one JSON object per line, for machines')
    .option('--workspace <folder>', 'also offer four tools on the files of this folder')
    .option('--allow-host <host>', 'a host that these tools may get pages from; may be given several times', collect)
    .addOption(new Option('--die <point>').choices([...DEATHS]).hideHelp())
    .addHelpText('after', `
Without a terminal, answers are read as lines: approve (then yes for what cannot be undone),
deny [reason], edit {json}, later; every other time a line is a message. A new session starts
with its suggested message. Ctrl-C while a question is open means later: the question stays.
With --workspace the offline model understands: read FILE, note FILE: TEXT, report [FOLDER], fetch URL;
in Chinese 读取 FILE, 笔记 FILE：TEXT, 报告 [FOLDER], 获取 URL.

${exitCodeHelp()}`)
    .action(async (flags: DemoFlags) => {
      const { demoCommand } = await import('./demo/demoCommand');
      done(await demoCommand(flags));
    });
}

function addSession(program: Command, done: (code: ExitCode) => void): void {
  const session = quiet(program.command('session')).description('Look at and decide the session of a demonstration folder');
  addAudit(session, done);
  quiet(session.command('list')).argument('<dir>').description('sessions and open questions')
    .option('--json', 'one JSON object per line').addOption(languageOption())
    .action(async (directory: string, flags: SessionFlags) => {
      const { listCommand } = await import('./session/sessionCommands');
      done(await listCommand(directory, flags));
    });
  quiet(session.command('decide')).argument('<dir>').description('store one decision; nothing runs yet')
    .option('--id <approvalId>', 'which question; may be left out when there is one')
    .option('--approve', 'approve').option('--deny', 'deny')
    .option('--reason <text>', 'why it is denied').option('--args <json>', 'approve with other arguments')
    .option('--workspace <folder>', 'folder of the workspace tools').option('--allow-host <host>', 'as for demo', collect)
    .option('--json', 'one JSON object per line').addOption(languageOption())
    .action(async (directory: string, flags: DecideFlags) => {
      const { decideCommand } = await import('./session/sessionCommands');
      done(await decideCommand(directory, flags));
    });
  quiet(session.command('resume')).argument('<dir>').description('carry out what was decided and go on')
    .option('--base-url <url>', 'as for demo; without it the offline model goes on').option('--model <name>', 'model of that endpoint')
    .option('--workspace <folder>', 'folder of the workspace tools').option('--allow-host <host>', 'as for demo', collect)
    .option('--json', 'one JSON object per line').addOption(languageOption())
    .action(async (directory: string, flags: SessionFlags) => {
      const { resumeCommand } = await import('./session/sessionCommands');
      done(await resumeCommand(directory, flags));
    });
  addRemove(session, done);
}

function addRemove(session: Command, done: (code: ExitCode) => void): void {
  quiet(session.command('remove')).argument('<dir>').description('remove a session with its child sessions, for good')
    .option('--id <sessionId>', 'which session; default: the one of the demonstration').option('--yes', 'needed')
    .option('--json', 'one JSON object per line').addOption(languageOption())
    .action(async (directory: string, flags: RemoveFlags) => {
      const { removeCommand } = await import('./session/sessionCommands');
      done(await removeCommand(directory, flags));
    });
}

/** `session DIR --audit` and `session audit DIR` are the same. */
function addAudit(session: Command, done: (code: ExitCode) => void): void {
  const run = async (directory: string, flags: AuditFlags): Promise<void> => {
    const { auditCommand } = await import('./audit/auditCommand');
    done(await auditCommand(directory, flags));
  };
  withAuditOptions(session.argument('[dir]')).option('--audit', 'check the audit chain and tell what happened to each call')
    .action(async (directory: string | undefined, flags: AuditFlags & { audit?: boolean }) => {
      if (directory === undefined || flags.audit !== true) throw new UsageError('say "session DIR --audit", or one of list, decide, resume, remove, audit');
      await run(directory, flags);
    });
  withAuditOptions(quiet(session.command('audit')).argument('<dir>')).description('as session DIR --audit; also for an audit file')
    .action((directory: string, flags: AuditFlags) => run(directory, flags));
}

function withAuditOptions(command: Command): Command {
  return command.option('--call <id>', 'only this call')
    .option('--redact <fields>', 'print a copy without these: session,run,batch,call,tool,decider')
    .option('--json', 'one JSON object per line').addOption(languageOption());
}

async function addStream(program: Command, done: (code: ExitCode) => void): Promise<void> {
  const { registerStreamCommand } = await import('./stream/registerStreamCommand');
  const lang = languageOf(process.env) === 'zh' ? 'zh' : 'en';
  registerStreamCommand(program, { stdout: process.stdout, stderr: process.stderr, lang, setExitCode: done });
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function languageOption(): Option {
  return new Option('--lang <language>', 'language of the output').choices([...LANGUAGES]).default(languageOf(process.env));
}

/** Errors come as one line, and nothing but `main` ends the process. */
function quiet(command: Command): Command {
  return command.allowExcessArguments(false).showSuggestionAfterError(false).exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().split('\n')[0]}\n`) });
}

function explain(error: Error): ExitCode {
  if (isOfCommandLine(error)) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  process.stderr.write(`error: ${error.message.split('\n')[0]}\n`);
  if (error.name === 'UsageError') return ExitCode.Usage;
  if ((process.env['ARKAGENT_DEBUG'] ?? '') !== '') process.stderr.write(`${error.stack ?? ''}\n`);
  return ExitCode.Failed;
}

/** By its code: a bundle of a command may hold its own copy of the library's class, so `instanceof` does not tell. */
function isOfCommandLine(error: Error): error is CommanderError {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('commander.');
}

function outliveReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe left (`| head`): there is nobody to write to any more.
    if (error.code === 'EPIPE') process.exit(ExitCode.Done);
    throw error;
  });
}
