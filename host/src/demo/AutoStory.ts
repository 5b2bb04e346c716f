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
    const folder = this.chapter('approve', 'kill -9 while the question is open, then approve');
    const first = this.start(folder);
    const asked = await first.until('question');
    this.check('the dangerous call waits: nothing was deleted', folder.cacheFiles().length === 3 && folder.effects().length === 0, `${folder.cacheFiles().length} files, ${folder.effects().length} effects`);
    await this.kill(first);
    const second = this.start(folder);
    const again = await second.until('question');
    this.sameQuestion(asked, again);
    await this.kill(second);
    const third = this.start(folder);
    this.sameQuestion(asked, await third.until('question'));
    third.say('approve');
    const end = await third.until('end');
    this.check('the run came to its end', end?.['stopReason'] === 'complete', String(end?.['stopReason']));
    this.effectOnce(folder, 0);
    this.check('the answer names the effect', said(third).includes('3'), said(third));
    await this.leave(third);
  }

  private async deny(): Promise<void> {
    const folder = this.chapter('deny', 'deny with a reason');
    const first = this.start(folder);
    await first.until('question');
    await this.kill(first);
    const second = this.start(folder);
    await second.until('question');
    second.say('deny I still need the oven log');
    const end = await second.until('end');
    this.check('a denial is no failure of the run', end?.['stopReason'] === 'complete', String(end?.['stopReason']));
    this.check('deny runs nothing', folder.cacheFiles().length === 3 && folder.effects().length === 0, `${folder.cacheFiles().length} files, ${folder.effects().length} effects`);
    this.check('the model was told the reason', said(second).includes('oven log'), said(second));
    await this.leave(second);
  }

  private async edit(): Promise<void> {
    const folder = this.chapter('edit', 'approve with other arguments');
    const first = this.start(folder);
    await first.until('question');
    first.say('edit {"confirm":5}');
    const refused = await first.until('refused');
    this.check('an edit that does not fit the schema is refused', refused?.['code'] === 'approval_edit_rejected', String(refused?.['code']));
    first.say('edit {"confirm":"brioche-oven-log"}');
    const decision = await first.until('decision');
    this.check('the edit is recorded beside the proposal', isConfirm(decision?.['argumentsJson'], 'brioche-oven-log') && isConfirm(decision?.['proposedJson'], 'yes'),
      `${String(decision?.['argumentsJson'])} for ${String(decision?.['proposedJson'])}`);
    await first.until('end');
    this.effectOnce(folder, 2);
    await this.leave(first);
  }

  private async killAfterDecision(): Promise<void> {
    const folder = this.chapter('decided', 'kill -9 right after the decision was stored');
    const first = this.start(folder, '--die', 'after-decision');
    await first.until('question');
    first.say('approve');
    const decision = await first.until('decision');
    const death = await first.exit;
    this.check('the process died by SIGKILL', death.signal === 'SIGKILL', String(death.signal));
    this.check('the decision was stored before it was reported', decision?.['decision'] === 'approved', String(decision?.['decision']));
    const second = this.start(folder);
    await second.until('end');
    this.check('nobody is asked twice', second.lines.every((line) => line.type !== 'question'), 'lines of the new process');
    this.effectOnce(folder, 0);
    await this.leave(second);
  }

  private async killAfterEffect(): Promise<void> {
    const folder = this.chapter('unknown', 'kill -9 between the effect and its record');
    const first = this.start(folder, '--die', 'after-effect');
    await first.until('question');
    first.say('approve');
    const death = await first.exit;
    this.check('the process died by SIGKILL', death.signal === 'SIGKILL', String(death.signal));
    this.check('the effect had happened', folder.cacheFiles().length === 0, `${folder.cacheFiles().length} files`);
    const second = this.start(folder);
    const end = await second.until('end');
    this.check('the outcome is unknown, and the model is told', toolStatus(second) === 'unknown' || said(second).match(/cannot tell|无法确认/) !== null, toolStatus(second));
    this.check('the run goes on all the same', end?.['stopReason'] === 'complete', String(end?.['stopReason']));
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
    this.check('the process left in order', code === 0, `exit code ${code}`);
  }

  private sameQuestion(before: StoryLine | undefined, after: StoryLine | undefined): void {
    const key = (line: StoryLine | undefined): string => [line?.['approvalId'], line?.['batchId'], line?.['digest'], line?.['revision']].join(' ');
    const kept = before !== undefined && after !== undefined && key(before) === key(after) && String(before['digest']).startsWith('v1:sha256:');
    this.check('the same question is back: id, batch, digest, revision', kept, key(after));
  }

  private effectOnce(folder: DemoFolder, filesLeft: number): void {
    const seen = `${folder.effects().length} effects, ${folder.cacheFiles().length} files left`;
    this.check(`the effect happened exactly once, ${filesLeft} files are left`, folder.effects().length === 1 && folder.cacheFiles().length === filesLeft, seen);
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
