import type { StreamResult } from './streamResult';

export type Language = 'en' | 'zh';

interface Words {
  outcome: Record<StreamResult['outcome'], string>;
  reasoning: string;
  text: string;
  none: string;
  call: string;
  mustNotRun: string;
  finishReason: string;
  noFinishReason: string;
  usage: string;
  noUsage: string;
  error: string;
  waitMs: string;
}

const WORDS: Record<Language, Words> = {
  en: {
    outcome: { complete: 'complete', error: 'error', incomplete: 'incomplete' },
    reasoning: 'Reasoning', text: 'Text', none: '(none)', call: 'Call', mustNotRun: 'must not run',
    finishReason: 'Finish reason', noFinishReason: 'none given', usage: 'Tokens', noUsage: 'not reported', error: 'Error',
    waitMs: 'retry after',
  },
  zh: {
    outcome: { complete: '完整', error: '出错', incomplete: '不完整' },
    reasoning: '思考过程', text: '正文', none: '（无）', call: '工具调用', mustNotRun: '不可执行',
    finishReason: '结束原因', noFinishReason: '未给出', usage: 'Token 用量', noUsage: '未报告', error: '错误', waitMs: '请等待后重试',
  },
};

/** The result for a person; ends with a line end. */
export function describeResult(result: StreamResult, lang: Language): string {
  const words = WORDS[lang];
  const lines: string[] = [];
  if (result.reasoning !== '') lines.push(`${words.reasoning}:`, printable(result.reasoning), '');
  lines.push(`${words.text}:`, result.text === '' ? words.none : printable(result.text), '');
  for (const call of result.toolCalls) {
    const warning = call.mustNotRun ? `  [${words.mustNotRun}]` : '';
    lines.push(`${words.call} ${oneLine(call.id)}  ${oneLine(call.name)}${warning}`, `  ${oneLine(call.arguments)}`);
  }
  lines.push(`${words.finishReason}: ${result.finishReason === null ? words.noFinishReason : oneLine(result.finishReason)}`);
  lines.push(`${words.usage}: ${usageText(result, words)}`);
  if (result.error !== null) lines.push(`${words.error}: ${errorText(result.error, words)}`);
  lines.push(`=> ${words.outcome[result.outcome]}`);
  return `${lines.join('\n')}\n`;
}

function usageText(result: StreamResult, words: Words): string {
  const usage = result.usage;
  return usage === null ? words.noUsage : `${usage.promptTokens} + ${usage.completionTokens} = ${usage.totalTokens}`;
}

function errorText(error: NonNullable<StreamResult['error']>, words: Words): string {
  const facts: string[] = [];
  if (error.status !== undefined) facts.push(`HTTP ${error.status}`);
  if (error.providerCode !== undefined) facts.push(oneLine(`${error.providerCode}`));
  if (error.retryAfterMs !== undefined) facts.push(`${words.waitMs} ${error.retryAfterMs} ms`);
  return `${error.code}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}: ${oneLine(error.message)}`;
}

/** A recorded answer may hold anything: control characters must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');
}

function oneLine(text: string): string {
  return printable(text).replace(/\n/g, '\\n');
}
