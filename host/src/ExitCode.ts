/** How the command line ends. The only place where these numbers are written; `--help` prints them from here. */
export enum ExitCode {
  Done = 0,
  /** The run ended with an error, a decision was refused, or `--auto` found a broken promise. */
  Failed = 1,
  /** A flag, an argument, a folder or an input file that cannot be used. */
  Usage = 2,
  /** `session resume`: a question is open and waits for a decision. */
  QuestionOpen = 3,
  /** The session file cannot be read (corrupt, or of a newer version); it was kept. */
  SessionUnusable = 4,
  /** `session --audit`: the chain of records is broken. */
  AuditBroken = 5,
  /** Ctrl-C twice during a run: left at once, as by a kill. */
  Interrupted = 130,
}

const MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [ExitCode.Done, 'done; also when a question was left for later'],
  [ExitCode.Failed, 'the run ended with an error, a decision was refused, or --auto found a broken promise'],
  [ExitCode.Usage, 'bad flag, argument, folder or file'],
  [ExitCode.QuestionOpen, 'session resume: a question is open'],
  [ExitCode.SessionUnusable, 'the session file cannot be read; it was kept, its name is printed'],
  [ExitCode.AuditBroken, 'session --audit: the chain of records is broken, the first broken one is named'],
  [ExitCode.Interrupted, 'Ctrl-C twice during a run: left at once'],
];

/** The table of exit codes for `--help`. */
export function exitCodeHelp(): string {
  return ['Exit codes:', ...MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`)].join('\n');
}
