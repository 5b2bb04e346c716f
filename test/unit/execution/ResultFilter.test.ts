import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResultLimiter, cutAtCodePoint } from '@core/execution/filter/ResultFilter';
import { ResultFilters } from '@core/execution/filter/ResultFilters';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonValue } from '@core/json/JsonValue';
import { ArkAgentError } from '@core/base/ArkAgentError';
import { ErrorLayer } from '@core/base/ErrorCodes';
import { ContentKind, ContentPart } from '@core/message/ContentPart';
import { AgentMessage } from '@core/message/AgentMessage';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { ToolResult } from '@core/tool/ToolResult';
import { ToolCallStatus } from '@core/tool/ToolResultEnvelope';

const tool = (maxResultChars: number): RegisteredTool => ({ contract: { maxResultChars } }) as RegisteredTool;
const limited = (limit: number, ...parts: Array<string | ContentPart>): ToolResult => new ResultLimiter().apply(new ToolResult(parts.map((part) => typeof part === 'string' ? ContentPart.text(part) : part)), tool(limit));
const texts = (result: ToolResult): string[] => result.contents.map((part) => part.asText() ?? part.kind);
const lonely = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe('the size limit of results', () => {
  it('leaves what fits as it is', () => {
    const result = new ToolResult([ContentPart.text('12345')], true, true);
    expect(new ResultLimiter().apply(result, tool(5))).toBe(result);
  });

  it('cuts text and says how much there was; flags and metadata stay', () => {
    const metadata = new JsonCodec().parseObject('{"a":1}').value;
    const cut = new ResultLimiter().apply(new ToolResult([ContentPart.text('123456')], true, true, metadata), tool(5));
    expect([texts(cut), cut.isError, cut.stopFlag, cut.metadata]).toEqual([['12345', '[cut: 5 of 6 characters shown]'], true, true, metadata]);
  });

  it('never cuts a surrogate pair, whatever the text and the limit', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(60), (text, limit) => {
      const cut = cutAtCodePoint(text, limit);
      expect(text.startsWith(cut) && cut.length <= limit).toBe(true);
      expect(lonely.test(cut)).toBe(false);
      expect(text.length <= limit ? cut === text : cut.length >= limit - 1).toBe(true);
    }));
    expect(texts(limited(3, 'ab🙂c'))).toEqual(['ab', '[cut: 2 of 5 characters shown]']);
  });

  it('shows nothing behind the place where it cut, but keeps media', () => {
    expect(texts(limited(3, 'ab🙂c', 'd', ContentPart.image('u', 'image/png'), 'e'))).toEqual(['ab', 'image', '[cut: 2 of 7 characters shown]']);
    expect(texts(limited(4, 'ab', '', 'cdef'))).toEqual(['ab', '', 'cd', '[cut: 4 of 6 characters shown]']);
    expect(texts(limited(0, 'ab'))).toEqual(['[cut: 0 of 2 characters shown]']);
  });

  it('counts json parts as their text and makes text of what does not fit', () => {
    const json = (text: string): ContentPart => ContentPart.json(JsonValue.object(new JsonCodec().parseObject(text).value));
    const small = limited(40, 'a', json('{"k":"v"}'));
    expect(small.contents.map((part) => part.kind)).toEqual([ContentKind.text, ContentKind.json]);
    expect(texts(limited(8, 'a', json('{"k":"0123456789"}')))).toEqual(['a', '{"k":"0', '[cut: 8 of 19 characters shown]']);
  });

  it('does not cut again what it has cut, also when only flags changed in between', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 4 }), fc.nat(20), (parts, limit) => {
      const once = limited(limit, ...parts);
      expect(texts(new ResultLimiter().apply(new ToolResult(once.contents.slice(), true), tool(limit)))).toEqual(texts(once));
      expect(once.contents.map((part) => part.asText() ?? '').filter((text) => !text.startsWith('[cut:')).join('').length).toBeLessThanOrEqual(limit);
    }));
  });

  it('a forged mark does not carry more through', () => {
    expect(texts(limited(5, '0123456789', '[cut: 5 of 9 characters shown]'))).toEqual(['01234', '[cut: 5 of 40 characters shown]']);
  });
});

describe('the chain of filters', () => {
  const upper = { apply: (result: ToolResult): ToolResult => new ToolResult(result.contents.map((part) => ContentPart.text((part.asText() ?? '').toUpperCase())), result.isError) };
  const mark = { apply: (result: ToolResult): ToolResult => new ToolResult([...result.contents, ContentPart.text('seen')], result.isError) };

  it('runs in order, and withholds the result when one of them fails', () => {
    expect(texts(new ResultFilters([mark, upper]).apply(ToolResult.text('a'), tool(9)))).toEqual(['A', 'SEEN']);
    const failing = new ResultFilters([{ apply: (): ToolResult => { throw new Error('SECRET'); } }, upper]);
    const withheld = failing.apply(new ToolResult([ContentPart.text('SECRET')], false, true), tool(9));
    expect([withheld.isError, withheld.stopFlag, texts(withheld)]).toEqual([true, true, ['tool_execution_failed: the result could not be filtered and is withheld']]);
    const error = failing.applyToError(new ArkAgentError(ErrorLayer.tool, 'own', 'SECRET'), tool(9), ToolCallStatus.failed, 3);
    expect([error.code, error.contents[0].asText()?.includes('SECRET'), error.elapsedMs]).toEqual(['tool_execution_failed', false, 3]);
  });

  it('messages that hooks inject pass it, and keep who says them', () => {
    const message = new ResultFilters([upper]).applyToMessage(AgentMessage.system('quiet'), tool(9));
    expect([message.role, message.text()]).toEqual(['system', 'QUIET']);
  });
});
