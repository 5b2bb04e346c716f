/** What the sample tools say, in the two languages: to the person who watches them, and to the model, which takes either. */
export class ToolWords {
  constructor(private readonly chinese: boolean) {}

  readTitle(): string {
    return this.of('Read a text file', '读取文本文件');
  }

  noteTitle(): string {
    return this.of('Write a note', '写笔记');
  }

  reportTitle(): string {
    return this.of('Report on text files', '文本文件报告');
  }

  pageTitle(): string {
    return this.of('Get a page', '获取网页');
  }

  noWorkspace(): string {
    return this.of('there is no workspace', '没有工作区');
  }

  noNetwork(): string {
    return this.of('there is no network', '没有网络');
  }

  noFile(): string {
    return this.of('there is no such file', '没有这个文件');
  }

  noFolder(): string {
    return this.of('there is no such folder', '没有这个文件夹');
  }

  onlyText(): string {
    return this.of('only .txt files can be read', '只能读取 .txt 文件');
  }

  unreadable(why: string): string {
    return this.of(`the file cannot be read: ${why}`, `无法读取文件：${why}`);
  }

  exchanged(): string {
    return this.of('the file was exchanged while it was read', '读取时文件被替换了');
  }

  notText(path: string, bytes: number): string {
    return this.of(`${path} has ${bytes} bytes and is no UTF-8 text`, `${path} 有 ${bytes} 字节，不是 UTF-8 文本`);
  }

  head(path: string, bytes: number, text: string): string {
    return this.of(`${path} has ${bytes} bytes. Its first 2 KB:\n${text}`, `${path} 有 ${bytes} 字节。前 2 KB：\n${text}`);
  }

  emptyNote(): string {
    return this.of('a note cannot be empty', '笔记不能为空');
  }

  longNote(limit: number): string {
    return this.of(`a note has at most ${limit} characters`, `笔记最多 ${limit} 个字符`);
  }

  noteEnding(): string {
    return this.of('a note is a .txt file', '笔记必须是 .txt 文件');
  }

  taken(): string {
    return this.of('there is such a file already; choose another name', '已有同名文件，请换一个名字');
  }

  wrote(chars: number, path: string): string {
    return this.of(`wrote ${chars} characters to ${path}`, `已将 ${chars} 个字符写入 ${path}`);
  }

  notWritten(why: string): string {
    return this.of(`the note was not written: ${why}`, `笔记没有写入：${why}`);
  }

  stopped(done: number, all: number): string {
    return this.of(`stopped after ${done} of ${all} files`, `已停止：完成 ${all} 个文件中的 ${done} 个`);
  }

  progress(done: number, all: number): string {
    return this.of(`${done} of ${all} files`, `${all} 个文件中的第 ${done} 个`);
  }

  tally(files: number, lines: number, words: number): string {
    return this.of(`text files: ${files}, lines: ${lines}, words: ${words}`, `文本文件：${files}，行：${lines}，词：${words}`);
  }

  leftOut(large: number, noText: number, refused: number, other: number): string {
    return this.of(`left out: ${large} above 1 MB, ${noText} that are no text, ${refused} outside the workspace or with unusable names, ${other} of other kinds`,
      `未计入：超过 1 MB 的 ${large} 个，不是文本的 ${noText} 个，在工作区之外或名称不可用的 ${refused} 个，其他种类 ${other} 个`);
  }

  reportStops(entries: number): string {
    return this.of(`the report stops after ${entries} entries`, `报告在 ${entries} 个条目后停止`);
  }

  longest(words: number, path: string): string {
    return this.of(`${words} words: ${path}`, `${words} 词：${path}`);
  }

  tooSlow(ms: number): string {
    return this.of(`no complete answer within ${ms} ms`, `${ms} 毫秒内没有完整的回答`);
  }

  noPage(why: string): string {
    return this.of(`the page cannot be read: ${why}`, `无法读取网页：${why}`);
  }

  status(code: number): string {
    return this.of(`the server answered with status ${code}`, `服务器返回状态 ${code}`);
  }

  noTextAnswer(): string {
    return this.of('the answer is no text', '回答不是文本');
  }

  unreadableAnswer(): string {
    return this.of('the answer is no text that can be read', '回答不是可读的文本');
  }

  page(url: string, type: string, bytes: number, cut: boolean, text: string): string {
    const length = cut ? this.of(`the first ${bytes} bytes`, `前 ${bytes} 字节`) : this.of(`${bytes} bytes`, `${bytes} 字节`);
    return `${url} (${type === '' ? this.of('no type', '无类型') : type}, ${length})\n\n${text}`;
  }

  /** Of the offline model. */
  failed(why: string): string {
    return this.of(`That did not work: ${why}`, `没有成功：${why}`);
  }

  private of(english: string, chinese: string): string {
    return this.chinese ? chinese : english;
  }
}
