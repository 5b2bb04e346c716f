import { DemoFolder } from './DemoFolder';
import { StoryProcess, type StoryLine } from './StoryProcess';

/** Says what happens in the story. */
export interface StoryTeller {
  chapter(title: string): void;
  say(text: string): void;
  line(pid: number, line: StoryLine): void;
  check(promise: string, kept: boolean, seen: string): void;
}

/**
 * The whole demonstration without a keyboard: real processes, really killed, every promise checked against the files.
 */
export class AutoStory {
  private checks = 0;
  private readonly broken: string[] = [];

  /** @param program the command line itself */
  constructor(private readonly program: string, private readonly language: string, private readonly root: string,
    private readonly teller: StoryTeller) {}

  async tell(): Promise<{ checks: number; broken: readonly string[] }> {
    await this.approveAfterKill();
    await this.deny();
    await this.edit();
    await this.killAfterDecision();
    await this.killAfterEffect();
    return { checks: this.checks, broken: this.broken };
  }

  private async approveAfterKill(): Promise<void> {
    const folder = this.chapter('approve', this.t('kill -9 while the question is open, then approve', '问题未答时 kill -9，然后批准'));
    const first = this.start(folder);
    const asked = await first.until('question');
    this.check(this.t('the dangerous call waits: nothing was deleted', '危险操作在等待：没有删除任何文件'), folder.cacheFiles().length === 3 && folder.effects().length === 0, `${folder.cacheFiles().length} files, ${folder.effects().length} effects`);
    await this.kill(first);
    const second = this.start(folder);
    const again = await second.until('question');
    this.sameQuestion(asked, again);
    await this.kill(second);
    const third = this.start(folder);
    this.sameQuestion(asked, await third.until('question'));
    third.say('approve');
    const end = await third.until('end');
    this.check(this.t('the run came to its end', '运行正常结束'), end?.['stopReason'] === 'complete', String(end?.['stopReason']));
    this.effectOnce(folder, 0);
    this.check(this.t('the answer names the effect', '回答说明了结果'), said(third).includes('3'), said(third));
    await this.leave(third);
  }

  private async deny(): Promise<void> {
    const folder = this.chapter('deny', this.t('deny with a reason', '附理由拒绝'));
    const first = this.start(folder);
    await first.until('question');
    await this.kill(first);
    const second = this.start(folder);
    await second.until('question');
    second.say('deny I still need the oven log');
    const end = await second.until('end');
    this.check(this.t('a denial is no failure of the run', '拒绝不等于运行失败'), end?.['stopReason'] === 'complete', String(end?.['stopReason']));
    this.check(this.t('deny runs nothing', '拒绝后什么也没有执行'), folder.cacheFiles().length === 3 && folder.effects().length === 0, `${folder.cacheFiles().length} files, ${folder.effects().length} effects`);
    this.check(this.t('the model was told the reason', '模型得知了理由'), said(second).includes('oven log'), said(second));
    await this.leave(second);
  }

  private async edit(): Promise<void> {
    const folder = this.chapter('edit', this.t('approve with other arguments', '修改参数后批准'));
    const first = this.start(folder);
    await first.until('question');
    first.say('edit {"confirm":5}');
    const refused = await first.until('refused');
    this.check(this.t('an edit that does not fit the schema is refused', '不符合参数定义的修改被拒绝'), refused?.['code'] === 'approval_edit_rejected', String(refused?.['code']));
    first.say('edit {"confirm":"brioche-oven-log"}');
    const decision = await first.until('decision');
    this.check(this.t('the edit is recorded beside the proposal', '修改与原提议一并记录'), isConfirm(decision?.['argumentsJson'], 'brioche-oven-log') && isConfirm(decision?.['proposedJson'], 'yes'),
      `${String(decision?.['argumentsJson'])} for ${String(decision?.['proposedJson'])}`);
    await first.until('end');
    this.effectOnce(folder, 2);
    await this.leave(first);
  }

  private async killAfterDecision(): Promise<void> {
    const folder = this.chapter('decided', this.t('kill -9 right after the decision was stored', '决定保存后立即 kill -9'));
    const first = this.start(folder, '--die', 'after-decision');
    await first.until('question');
    first.say('approve');
    const decision = await first.until('decision');
    const death = await first.exit;
    this.check(this.t('the process died by SIGKILL', '进程被 SIGKILL 杀死'), death.signal === 'SIGKILL', String(death.signal));
    this.check(this.t('the decision was stored before it was reported', '决定先保存、后报告'), decision?.['decision'] === 'approved', String(decision?.['decision']));
    const second = this.start(folder);
    await second.until('end');
    this.check(this.t('nobody is asked twice', '没有重复询问'), second.lines.every((line) => line.type !== 'question'), 'lines of the new process');
    this.effectOnce(folder, 0);
    await this.leave(second);
  }

  private async killAfterEffect(): Promise<void> {
    const folder = this.chapter('unknown', this.t('kill -9 between the effect and its record', '在执行与记录之间 kill -9'));
    const first = this.start(folder, '--die', 'after-effect');
    await first.until('question');
    first.say('approve');
    const death = await first.exit;
    this.check(this.t('the process died by SIGKILL', '进程被 SIGKILL 杀死'), death.signal === 'SIGKILL', String(death.signal));
    this.check(this.t('the effect had happened', '操作当时已经执行'), folder.cacheFiles().length === 0, `${folder.cacheFiles().length} files`);
    const second = this.start(folder);
    const end = await second.until('end');
    this.check(this.t('the outcome is unknown, and the model is told', '结果未知，并已告知模型'), toolStatus(second) === 'unknown' || said(second).match(/cannot tell|无法确认/) !== null, toolStatus(second));
    this.check(this.t('the run goes on all the same', '运行照常继续'), end?.['stopReason'] === 'complete', String(end?.['stopReason']));
    this.effectOnce(folder, 0);
    await this.leave(second);
  }

  private chapter(name: string, title: string): DemoFolder {
    this.teller.chapter(title);
    const folder = new DemoFolder(`${this.root}/${name}`);
    folder.reset();
    return folder;
  }

  private start(folder: DemoFolder, ...more: string[]): StoryProcess {
    const args = ['demo', '--json', '--once', '--dir', folder.root, '--lang', this.language, ...more];
    const story: StoryProcess = new StoryProcess(this.program, args, (line) => this.teller.line(story.pid, line));
    return story;
  }

  private async kill(story: StoryProcess): Promise<void> {
    this.teller.say(`kill -9 ${story.pid}`);
    await story.kill();
  }

  private async leave(story: StoryProcess): Promise<void> {
    const { code } = await story.exit;
    this.check(this.t('the process left in order', '进程正常退出'), code === 0, `exit code ${code}`);
  }

  private sameQuestion(before: StoryLine | undefined, after: StoryLine | undefined): void {
    const key = (line: StoryLine | undefined): string => [line?.['approvalId'], line?.['batchId'], line?.['digest'], line?.['revision']].join(' ');
    const kept = before !== undefined && after !== undefined && key(before) === key(after) && String(before['digest']).startsWith('v1:sha256:');
    this.check(this.t('the same question is back: id, batch, digest, revision', '同一个问题回来了：编号、批次、摘要、版本均一致'), kept, key(after));
  }

  private effectOnce(folder: DemoFolder, filesLeft: number): void {
    const seen = `${folder.effects().length} effects, ${folder.cacheFiles().length} files left`;
    this.check(this.t(`the effect happened exactly once, ${filesLeft} files are left`, `操作恰好执行一次，剩余 ${filesLeft} 个文件`), folder.effects().length === 1 && folder.cacheFiles().length === filesLeft, seen);
  }

  private t(english: string, chinese: string): string {
    return this.language === 'zh' ? chinese : english;
  }

  private check(promise: string, kept: boolean, seen: string): void {
    this.checks++;
    if (!kept) this.broken.push(`${promise} (seen: ${seen})`);
    this.teller.check(promise, kept, seen);
  }
}

/** The model's words of a process. */
function said(story: StoryProcess): string {
  return story.lines.filter((line) => line.type === 'text').map((line) => String(line['text'])).join('');
}

function toolStatus(story: StoryProcess): string {
  return String(story.lines.filter((line) => line.type === 'tool').at(-1)?.['status']);
}

function isConfirm(json: unknown, value: string): boolean {
  try {
    return (JSON.parse(String(json)) as { confirm?: string }).confirm === value;
  } catch {
    return false;
  }
}
