import { ExitCode } from '../ExitCode';
import { TerminalStyle } from '../terminal/TerminalStyle';
import { AutoStory, type StoryTeller } from './AutoStory';
import type { DemoFolder } from './DemoFolder';
import type { DemoFlags } from './DemoOptions';
import type { StoryLine } from './StoryProcess';

/** `arkagent demo --auto`: plays the story, checks every promise, ends with a summary. */
export async function autoCommand(folder: DemoFolder, flags: DemoFlags): Promise<ExitCode> {
  const teller = flags.json === true ? new JsonTeller() : new PlainTeller(flags.lang === 'zh');
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

  constructor(private readonly chinese: boolean) {}

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
    const text = describe(line, this.chinese);
    if (text !== '') this.write(`  [${pid}] ${text}`);
  }

  check(promise: string, kept: boolean, seen: string): void {
    this.write(kept ? this.style.good(`  ✓ ${promise}`) : this.style.bad(`  ✗ ${promise} (seen: ${seen})`));
  }

  summary(checks: number, broken: readonly string[], folder: string): void {
    this.write('');
    const kept = broken.length === 0;
    const english = `${checks} promises checked, ${kept ? 'all kept' : `${broken.length} broken`}. The files are in ${folder}.`;
    const chinese = `检查了 ${checks} 项承诺，${kept ? '全部兑现' : `${broken.length} 项未兑现`}。文件位于 ${folder}。`;
    const line = this.chinese ? chinese : english;
    this.write(kept ? this.style.good(line) : this.style.bad(line));
    for (const promise of broken) this.write(`  ✗ ${promise}`);
  }

  private write(line: string): void {
    if (this.inText) process.stdout.write('\n');
    this.inText = false;
    process.stdout.write(`${line}\n`);
  }
}

/** A line of a demo process in one short line; empty for what says nothing new. */
function describe(line: StoryLine, chinese: boolean): string {
  const of = (member: string): string => String(line[member] ?? '');
  const t = (english: string, translated: string): string => (chinese ? translated : english);
  const detail = (member: string): string => (of(member) === '' ? '' : ` (${of(member)})`);
  switch (line.type) {
    case 'start':
      return line['restored'] === true ? `${t('new process', '新进程')}: ${of('line')}` : t('new process, new session', '新进程，新会话');
    case 'message':
      return `${t('person', '用户')}: ${of('text')}`;
    case 'tool':
      return `${t('tool', '工具')} ${of('tool')}: ${of('status')}${detail('code')}`;
    case 'question':
      return `${t('question', '问题')} ${of('approvalId')}: ${of('sentence')} ${of('risk')}`;
    case 'decision':
      return `${t('decision', '决定')}: ${of('decision')}, ${of('decidedBy')}${detail('reason')}, ${t('stored', '已保存')}`;
    case 'refused':
    case 'failed':
      return `${line.type}: ${of('code')}`;
    case 'end':
      return `${t('end', '结束')}: ${of('stopReason')}`;
    default:
      return '';
  }
}
