import { Command, CommanderError } from 'commander';
import { registerStreamCommand } from '../../../host/src/stream/registerStreamCommand';

/** A program of the one command, to try it as a process of its own. */
const program = new Command('arkagent').exitOverride();
registerStreamCommand(program, { stdout: process.stdout, stderr: process.stderr, lang: 'en' });
try {
  program.parse();
} catch (e) {
  process.exitCode = e instanceof CommanderError ? e.exitCode : 70;
}
