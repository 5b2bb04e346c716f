/** Sentences that only the terminal needs; everything else comes from the view-model's words. */
export class HostWords {
  constructor(private readonly chinese: boolean) {}

  process(pid: number, folder: string): string {
    return this.chinese ? `进程 ${pid}，会话保存在 ${folder}` : `Process ${pid}, session in ${folder}`;
  }

  fromDisk(folder: string, revision: number): string {
    return this.chinese ? `（从磁盘恢复：${folder}，版本 ${revision}）` : `(restored from disk: ${folder}, revision ${revision})`;
  }

  questionSaved(folder: string, batchId: string, revision: number): string {
    return this.chinese ? `问题已保存在 ${folder}（批次 ${batchId}，版本 ${revision}）；即使进程被杀死也不会丢失` :
      `saved in ${folder} (batch ${batchId}, revision ${revision}): the question survives this process`;
  }

  saved(folder: string): string {
    return this.chinese ? `（已保存在 ${folder}）` : `(saved in ${folder})`;
  }

  later(folder: string): string {
    return this.chinese ? `稍后再说：问题保留在 ${folder}，再次运行即可回答。` : `Later: the question stays in ${folder}; run this again to answer it.`;
  }

  dying(pid: number): string {
    return this.chinese ? `进程 ${pid} 现在用 SIGKILL 杀死自己（npm 会报告）。请再次运行 npm run demo：问题还在。` :
      `Process ${pid} now kills itself with SIGKILL (npm will report it). Run npm run demo again: the question will still be there.`;
  }

  killChoice(): string {
    return this.chinese ? '现在杀死这个进程（SIGKILL），然后再次运行' : 'Kill this process now (SIGKILL), then run it again';
  }

  restarted(): string {
    return this.chinese ? '（回答重新开始）' : '(the answer starts over)';
  }

  suggestion(): string {
    return this.chinese ? '清空烘焙缓存' : 'Clear the baking cache';
  }

  stopHint(): string {
    return this.chinese ? '再次按 Ctrl-C 立即离开。' : 'Press Ctrl-C again to leave at once.';
  }

  keptAside(folder: string): string {
    return this.chinese ? `无法读取的会话保留在 ${folder}` : `the session that could not be read is kept in ${folder}`;
  }

  sessionRemoved(sessionId: string): string {
    return this.chinese ? `已删除会话 ${sessionId}` : `removed session ${sessionId}`;
  }

  resumable(yes: boolean): string {
    if (this.chinese) return yes ? '可以继续' : '不能继续';
    return yes ? 'resumable' : 'not resumable';
  }

  decision(denied: boolean): string {
    if (this.chinese) return denied ? '已拒绝' : '已批准';
    return denied ? 'denied' : 'approved';
  }

  resetHint(): string {
    return this.chinese ? '--reset 会开始新会话并保留这个文件。' : '--reset starts a new session and keeps the file.';
  }
}
