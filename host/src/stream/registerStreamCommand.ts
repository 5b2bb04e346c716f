import { readFileSync, statSync } from 'node:fs';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { readRecordedAnswer } from './streamResult';
import { describeResult, type Language } from './streamText';

/** Where a command writes to. */
export interface TextSink {
  write(text: string): unknown;
}

export interface StreamCommandIo {
  stdout: TextSink;
  stderr: TextSink;
  lang: Language;
  /** All bytes of standard input, for FILE `-`. */
  readStdin?: () => Uint8Array;
  /** Told the exit code when it is not 0; sets `process.exitCode` where left out. */
  setExitCode?: (code: number) => void;
}

interface StreamFlags {
  json?: boolean;
  status: number;
  header?: Map<string, string>;
  chunk?: number;
  lang?: Language;
}

/** A capture beyond this is refused before it is read: the client would not take it either. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** A flag or a file that cannot be used. */
const EXIT_USAGE = 2;

const TEXT = {
  en: {
    description: 'Read a recorded answer of a model service the way a real one is read, and show what it comes to',
    file: 'the body as it came over the network; - for standard input',
    json: 'print one JSON object',
    status: 'HTTP status of the recording',
    header: 'HTTP header of the recording, "name: value"; may be repeated',
    chunk: 'bytes of one network piece; does not change the result',
    lang: 'language of the output, en or zh',
    exit: 'Exit codes: 0 the recording was read, whatever it holds (an error of the service is a result); 2 a flag or the file cannot be used.',
  },
  zh: {
    description: '按真实请求的方式读取一段录制的模型服务响应，并显示结果',
    file: '网络上收到的响应正文；- 表示标准输入',
    json: '输出一个 JSON 对象',
    status: '录制时的 HTTP 状态码',
    header: '录制时的 HTTP 头，"名称: 值"；可重复',
    chunk: '每个网络分片的字节数；不影响结果',
    lang: '输出语言，en 或 zh',
    exit: '退出码：0 已读取录制内容（服务返回的错误也是一种结果）；2 参数或文件不可用。',
  },
} as const;

/** Adds `stream FILE` to a program. Nothing it does ends in a stack trace. */
export function registerStreamCommand(program: Command, io: StreamCommandIo): void {
  const words = TEXT[io.lang];
  const command = program
    .command('stream')
    .description(words.description)
    .argument('<file>', words.file)
    .option('--json', words.json)
    .option('--status <n>', words.status, (text) => wholeNumber(text, 100, 599), 200)
    .option('--header <line>', words.header, addHeader)
    .option('--chunk <n>', words.chunk, (text) => wholeNumber(text, 1, MAX_FILE_BYTES))
    .option('--lang <language>', words.lang, language)
    .addHelpText('after', `\n${words.exit}`)
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${text.trim().split('\n')[0]}\n`),
    })
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode === 0 ? 0 : EXIT_USAGE, error.code, error.message);
    })
    .action((file: string, flags: StreamFlags) => run(file, flags, io));
  command.showSuggestionAfterError(false);
}

function run(file: string, flags: StreamFlags, io: StreamCommandIo): void {
  let bytes: Uint8Array;
  try {
    bytes = readBody(file, io);
  } catch (e) {
    io.stderr.write(`error: ${(e as Error).message.split('\n')[0]}\n`);
    setExitCode(io, EXIT_USAGE);
    return;
  }
  const result = readRecordedAnswer({ bytes, status: flags.status, headers: flags.header ?? new Map<string, string>(), chunkSize: flags.chunk });
  io.stdout.write(flags.json === true ? `${JSON.stringify(result)}\n` : describeResult(result, flags.lang ?? io.lang));
}

function readBody(file: string, io: StreamCommandIo): Uint8Array {
  if (file === '-') return readStdin(io);
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error('it is a directory');
    if (found.size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
    return readFileSync(file);
  } catch (e) {
    throw new Error(`cannot read ${JSON.stringify(file)}: ${reasonOf(e as NodeJS.ErrnoException)}`);
  }
}

function readStdin(io: StreamCommandIo): Uint8Array {
  try {
    return io.readStdin === undefined ? readFileSync(0) : io.readStdin();
  } catch (e) {
    throw new Error(`cannot read standard input: ${reasonOf(e as NodeJS.ErrnoException)}`);
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such file';
  if (error.code === 'EACCES') return 'no permission';
  return error.code ?? error.message;
}

function wholeNumber(text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < lowest || value > highest) {
    throw new InvalidArgumentError(`Expected a whole number from ${lowest} to ${highest}.`);
  }
  return value;
}

function addHeader(line: string, known: Map<string, string> = new Map<string, string>()): Map<string, string> {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw new InvalidArgumentError('Expected "name: value".');
  return new Map(known).set(name.toLowerCase(), line.slice(colon + 1).trim());
}

function language(text: string): Language {
  if (text !== 'en' && text !== 'zh') throw new InvalidArgumentError('Expected en or zh.');
  return text;
}

function setExitCode(io: StreamCommandIo, code: number): void {
  if (io.setExitCode !== undefined) io.setExitCode(code);
  else process.exitCode = code;
}
