import { AuditBreakKind, AuditStep, type AuditBreak, type CallStory, type CallStoryStep } from 'agent_core';

type Pair = readonly [en: string, zh: string];

const STEPS: Readonly<Record<string, Pair>> = {
  [AuditStep.proposed]: ['proposed', '提出'],
  [AuditStep.hook]: ['rule before', '前置规则'],
  [AuditStep.gate]: ['check', '检查'],
  [AuditStep.authorization]: ['authorization', '授权'],
  [AuditStep.policy]: ['policy', '策略'],
  [AuditStep.grant]: ['remembered permission', '已记住的许可'],
  [AuditStep.memory]: ['earlier answer', '之前的答复'],
  [AuditStep.frozen]: ['question stored', '问题已保存'],
  [AuditStep.decision]: ['decision', '决定'],
  [AuditStep.claim]: ['taken up again', '重新接手'],
  [AuditStep.recovery]: ['recovery', '恢复'],
  [AuditStep.started]: ['started', '开始执行'],
  [AuditStep.waiting]: ['waiting for a child', '等待子任务'],
  [AuditStep.finished]: ['finished', '完成'],
  [AuditStep.failed]: ['failed', '失败'],
  [AuditStep.unknown]: ['outcome unknown', '结果未知'],
  [AuditStep.cancelled]: ['cancelled', '已取消'],
  [AuditStep.journal]: ['save failed', '保存失败'],
  [AuditStep.filtered]: ['result changed', '结果已处理'],
  [AuditStep.hookAfter]: ['rule after', '后置规则'],
  [AuditStep.rejected]: ['refused', '被拒绝'],
  [AuditStep.late]: ['late result', '迟到的结果'],
  [AuditStep.closed]: ['answered', '已答复'],
};

const STATUS: Readonly<Record<string, Pair>> = {
  ok: ['done', '完成'], rejected: ['refused', '被拒绝'], failed: ['failed', '失败'], cancelled: ['cancelled', '已取消'], unknown: ['outcome unknown', '结果未知'],
};

const BREAKS: Readonly<Record<AuditBreakKind, Pair>> = {
  [AuditBreakKind.noOpening]: ['the first line is missing or damaged', '缺少首行，或首行已损坏'],
  [AuditBreakKind.unreadable]: ['the line is not a record', '该行不是记录'],
  [AuditBreakKind.edited]: ['the record was changed', '记录被修改'],
  [AuditBreakKind.removed]: ['records before it are missing', '其前面的记录缺失'],
  [AuditBreakKind.misplaced]: ['the record does not belong here: moved or put in', '记录位置不对：被移动或插入'],
  [AuditBreakKind.truncated]: ['the end of the file is missing', '文件末尾缺失'],
  [AuditBreakKind.replaced]: ['the records are not those that were written', '记录不是当初写下的那些'],
};

/** The words of `session --audit`. */
export class AuditWords {
  constructor(private readonly chinese: boolean) {}

  intact(records: number, shown: string): string {
    return this.chinese ? `审计链完好：${shown} 中有 ${records} 条记录` : `audit chain intact: ${records} records in ${shown}`;
  }

  broken(found: AuditBreak, proved: number): string {
    const why = this.pick(BREAKS[found.kind]);
    return this.chinese ? `审计链断裂于第 ${found.line} 行，记录 ${found.seq}：${why}（之前 ${proved} 条记录可信）` :
      `audit chain broken at line ${found.line}, record ${found.seq}: ${why} (the ${proved} records before it hold)`;
  }

  torn(): string {
    return this.chinese ? '最后一行没有写完：进程在写入时被终止' : 'the last line is unfinished: the process ended while it was written';
  }

  hidden(fields: number): string {
    return this.chinese ? `${fields} 处细节已隐去，只剩其承诺值` : `${fields} details are taken out; their commitments remain`;
  }

  nothing(shown: string): string {
    return this.chinese ? `${shown} 中没有审计记录` : `no audit records in ${shown}`;
  }

  noFile(shown: string, code: string = 'EISDIR'): string {
    return this.chinese ? `无法读取 ${shown}（${code}）` : `cannot read ${shown}: ${code}`;
  }

  noCall(id: string): string {
    return this.chinese ? `没有调用 ${id} 的记录` : `no record of a call ${id}`;
  }

  heading(story: CallStory): string {
    const status = story.status === undefined ? (this.chinese ? '尚无答复' : 'no answer yet') : this.pick(STATUS[story.status] ?? [story.status, story.status]);
    return `${story.callId}  ${story.tool}  ${status}${story.code === '' ? '' : ` (${story.code})`}`;
  }

  step(step: CallStoryStep): string {
    const name = this.pick(STEPS[step.step] ?? [step.step, step.step]);
    const by = this.chinese ? `由 ${step.decider}` : `by ${step.decider}`;
    return `  ${new Date(step.timeMs).toISOString()}  ${name}: ${step.decision} ${by}${step.code === '' ? '' : ` (${step.code})`}`;
  }

  private pick(pair: Pair): string {
    return this.chinese ? pair[1] : pair[0];
  }
}
