import { ExitCode } from '../ExitCode';
import { TerminalStyle } from '../terminal/TerminalStyle';
import { AutoStory, type StoryTeller } from './AutoStory';
import type { DemoFolder } from './DemoFolder';
import type { DemoFlags } from './DemoOptions';
import type { StoryLine } from './StoryProcess';

/** `arkagent demo --auto`: plays the story, checks every promise, ends with a summary. */
export async function autoCommand(folder: DemoFolder, flags: DemoFlags): Promise<ExitCode> {
  const teller = flags.json === true ? new JsonTeller() : new PlainTeller();
  const story = new AutoStory(process.argv[1]!, flags.lang, folder.auto, teller);
  const { checks, broken } = await story.tell();
  teller.summary(checks, broken, folder.shown(folder.auto));
  return broken.length === 0 ? ExitCode.Done : ExitCode.Failed;
}

interface Teller extends StoryTeller {
  summary(checks: number, broken: readonly string[], folder: string): void;
}

class JsonTeller implements Teller {
  chapter(title: string): void {
    this.write({ type: 'chapter', title });
  }

  say(text: string): void {
    this.write({ type: 'note', text });
  }

  line(pid: number, line: StoryLine): void {
    this.write({ pid, ...line });
  }

  check(promise: string, kept: boolean, seen: string): void {
    this.write({ type: 'check', promise, kept, seen });
  }

  summary(checks: number, broken: readonly string[], folder: string): void {
    this.write({ type: 'summary', checks, broken, folder });
  }

  private write(value: object): void {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  }
}

class PlainTeller implements Teller {
  private readonly style = new TerminalStyle(process.stdout, process.env);
  private inText = false;

  chapter(title: string): void {
    this.write(`\n${this.style.bold(`== ${title} ==`)}`);
  }

  say(text: string): void {
    this.write(this.style.bad(`  $ ${text}`));
  }

  line(pid: number, line: StoryLine): void {
    if (line.type === 'text') {
      process.stdout.write(`${this.inText ? '' : `  [${pid}] `}${String(line['text'])}`);
      this.inText = true;
      return;
    }
    const text = describe(line);
    if (text !== '') this.write(`  [${pid}] ${text}`);
  }

  check(promise: string, kept: boolean, seen: string): void {
    this.write(kept ? this.style.good(`  ✓ ${promise}`) : this.style.bad(`  ✗ ${promise} (seen: ${seen})`));
  }

  summary(checks: number, broken: readonly string[], folder: string): void {
    this.write('');
    this.write(broken.length === 0 ? this.style.good(`${checks} promises checked, all kept. The files are in ${folder}.`) :
      this.style.bad(`${checks} promises checked, ${broken.length} broken. The files are in ${folder}.`));
    for (const promise of broken) this.write(`  ✗ ${promise}`);
  }

  private write(line: string): void {
    if (this.inText) process.stdout.write('\n');
    this.inText = false;
    process.stdout.write(`${line}\n`);
  }
}

function describe(line: StoryLine): string {
  const of = (member: string): string => String(line[member] ?? '');
  switch (line.type) {
    case 'start':
      return line['restored'] === true ? `new process: ${of('line')}` : 'new process, new session';
    case 'message':
      return `person: ${of('text')}`;
    case 'tool':
      return `tool ${of('tool')}: ${of('status')}${of('code') === '' ? '' : ` (${of('code')})`}`;
    case 'question':
      return `question ${of('approvalId')}: ${of('sentence')} ${of('risk')}`;
    case 'decision':
      return `decision: ${of('decision')} by ${of('decidedBy')}${of('reason') === '' ? '' : `, "${of('reason')}"`}, stored`;
    case 'refused':
    case 'failed':
      return `${line.type}: ${of('code')}`;
    case 'end':
      return `end: ${of('stopReason')}`;
    default:
      return '';
  }
}
