import { describe, expect, it, vi } from 'vitest';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonObject } from '@core/json/JsonObject';
import { JsonValue } from '@core/json/JsonValue';
import { AgentMessage, MessageRole } from '@core/message/AgentMessage';
import { ContentPart } from '@core/message/ContentPart';
import { MessageList } from '@core/message/MessageList';
import { ToolCall } from '@core/message/ToolCall';
import { type ModelOptions, ModelRequest } from '@core/model/ModelRequest';
import { ToolDefinition } from '@core/model/ToolDefinition';
import { type OpenAiDialect, OpenAiDialects, ReasoningReplay } from '@core/provider/openai/OpenAiDialect';
import { RequestWriter } from '@core/provider/openai/RequestWriter';

const schema = (json: string): JsonObject => new JsonCodec().parseObject(json).value;

function body(messages: AgentMessage[], dialect: OpenAiDialect = OpenAiDialects.generic(), options: ModelOptions = {}, tools: ToolDefinition[] = [],
  system = ''): Record<string, unknown> & { messages: Record<string, unknown>[] } {
  return JSON.parse(new RequestWriter(dialect, 'm-1').write(new ModelRequest(system, MessageList.of(messages), tools, options)));
}

function assistant(init: Partial<ConstructorParameters<typeof AgentMessage>[0]>): AgentMessage {
  return new AgentMessage({ role: MessageRole.assistant, ...init });
}

describe('RequestWriter', () => {
  it('writes a conversation with calls and results', () => {
    const sent = body([
      AgentMessage.user('Weather?'),
      assistant({ contents: [ContentPart.text('I look.')], toolCalls: [new ToolCall('c1', 'get_weather', '{"city":"Paris"}', 0)] }),
      AgentMessage.toolResult('c1', [ContentPart.text('18 °C'), ContentPart.json(JsonValue.object(schema('{"t":18}')))], false),
    ], OpenAiDialects.generic(), {}, [], 'Be brief.');
    expect(sent.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '18 °C\n{"t":18}' },
    ]);
    expect([sent.model, sent.stream, sent.stream_options, 'tools' in sent]).toEqual(['m-1', true, { include_usage: true }, false]);
  });

  it('writes options under the dialect\'s names, extra members as they are, and never gives up the stream', () => {
    const extra = schema('{"tool_choice":"auto","stream":false,"messages":[],"seed":7}');
    const sent = body([], OpenAiDialects.openAi(), { model: 'm-2', temperature: 0.5, topP: 0.9, maxOutputTokens: 64, stop: ['x'], extra });
    expect(sent).toEqual({
      model: 'm-2', temperature: 0.5, top_p: 0.9, max_completion_tokens: 64, stop: ['x'], stream: true, stream_options: { include_usage: true },
      tool_choice: 'auto', seed: 7, messages: [],
    });
    expect('stream_options' in body([], OpenAiDialects.mistral())).toBe(false);
    expect(body([], OpenAiDialects.generic(), { maxOutputTokens: 5 }).max_tokens).toBe(5);
  });

  it('writes tools and gives a schema without properties an empty set of them', () => {
    const tools = [
      new ToolDefinition('a', 'does a', schema('{"type":"object","properties":{"x":{"type":"string"}}}').seal()),
      new ToolDefinition('b', 'does b', schema('{"type":"object"}').seal()),
    ];
    expect(body([], OpenAiDialects.generic(), {}, tools).tools).toEqual([
      { type: 'function', function: { name: 'a', description: 'does a', parameters: { type: 'object', properties: { x: { type: 'string' } } } } },
      { type: 'function', function: { name: 'b', description: 'does b', parameters: { type: 'object', properties: {} } } },
    ]);
  });

  it('writes each message once, however long the conversation gets', () => {
    const history = Array.from({ length: 200 }, (_, at) => AgentMessage.user(`message ${at}`));
    const writer = new RequestWriter(OpenAiDialects.generic(), 'm');
    writer.write(new ModelRequest('', MessageList.of(history), [], {}));
    const quoted = vi.spyOn(JSON, 'stringify');
    const text = writer.write(new ModelRequest('', MessageList.of([...history, AgentMessage.user('new')]), [], {}));
    const calls = quoted.mock.calls.length;
    quoted.mockRestore();
    expect(calls).toBeLessThan(12);
    expect(JSON.parse(text).messages.length).toBe(201);
  });

  it('sends media as references where the dialect takes them, otherwise names them', () => {
    const parts = [ContentPart.text('See'), ContentPart.image('https://x.test/a.png', 'image/png'), ContentPart.image('artifact:7', 'image/png'),
      ContentPart.audio('data:audio/wav;base64,QUJD', 'audio/wav'), ContentPart.file('artifact:8', 'application/pdf')];
    const message = new AgentMessage({ role: MessageRole.user, contents: parts });
    expect(body([message], OpenAiDialects.openAi()).messages[0].content).toEqual([
      { type: 'text', text: 'See' }, { type: 'image_url', image_url: { url: 'https://x.test/a.png' } }, { type: 'text', text: '[image image/png artifact:7]' },
      { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } }, { type: 'text', text: '[file application/pdf artifact:8]' },
    ]);
    expect(body([message], OpenAiDialects.deepSeek()).messages[0].content)
      .toBe('See\n[image image/png https://x.test/a.png]\n[image image/png artifact:7]\n[audio audio/wav (inline)]\n[file application/pdf artifact:8]');
  });

  it('sends reasoning back under the dialect\'s name and only when the dialect wants it', () => {
    const calling = assistant({ reasoning: 'hm', toolCalls: [new ToolCall('c', 'f', '', 0)] });
    const talking = assistant({ reasoning: 'hm', contents: [ContentPart.text('4')] });
    expect(body([calling]).messages[0].reasoning_content).toBe('hm');
    expect(body([talking]).messages[0].reasoning_content).toBeUndefined();
    expect(body([calling], OpenAiDialects.openRouter()).messages[0].reasoning).toBe('hm');
    expect(Object.keys(body([calling], OpenAiDialects.openAi()).messages[0])).toEqual(['role', 'content', 'tool_calls']);
    const always = OpenAiDialects.generic();
    always.reasoningReplay = ReasoningReplay.always;
    expect(body([talking], always).messages[0].reasoning_content).toBe('hm');
  });

  it('sends extras back as they came, also those of a call, but never lets them replace the message', () => {
    const extras = schema('{"reasoning_details":[{"type":"reasoning.encrypted","data":"x","index":0}],"role":"system","refusal":"no",'
      + '"tool_calls":[{"extra_content":{"google":{"thought_signature":"s"}},"id":"other"}]}').seal();
    const message = assistant({ reasoning: 'hm', extras, toolCalls: [new ToolCall('c', 'f', '{}', 0)] });
    expect(body([message]).messages[0]).toEqual({
      role: 'assistant', content: null, reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 0 }],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { google: { thought_signature: 's' } } }],
    });
    expect(JSON.stringify(body([message], OpenAiDialects.mistral()).messages[0])).not.toContain('thought_signature');
  });

  it('sends arguments that a strict API would refuse in a form that it takes', () => {
    const message = assistant({ toolCalls: [new ToolCall('a', 'f', '', 0), new ToolCall('b', 'f', '{"x":', 1), new ToolCall('c', 'f', '[1]', 2)] });
    const argumentsOf = (dialect: OpenAiDialect): string[] =>
      (body([message], dialect).messages[0].tool_calls as { function: { arguments: string } }[]).map((call) => call.function.arguments);
    expect(argumentsOf(OpenAiDialects.generic())).toEqual(['{}', '{"invalid_arguments":"{\\"x\\":"}', '{"invalid_arguments":"[1]"}']);
    expect(argumentsOf(OpenAiDialects.openAi())).toEqual(['{}', '{"x":', '[1]']);
  });

  it('maps ids on the wire so that a call and its result still agree', () => {
    const ids = ['a', 'a#2', 'a_2', 'functions.weather:0', 'grep:3#2', 'x'.repeat(90), '工具', ''];
    const messages = ids.flatMap((id) => [
      assistant({ toolCalls: [new ToolCall(id, 'f', '{}', 0)] }), AgentMessage.toolResult(id, [ContentPart.text('r')], false)]);
    const allowed: [OpenAiDialect, RegExp][] = [
      [OpenAiDialects.generic(), /^[A-Za-z0-9_.:-]{0,64}$/], [OpenAiDialects.openAi(), /^[A-Za-z0-9_-]{0,40}$/], [OpenAiDialects.mistral(), /^[A-Za-z0-9]{9}$/]];
    for (const [dialect, rule] of allowed) {
      const sent = body(messages, dialect).messages;
      const calls = sent.filter((_, at) => at % 2 === 0).map((message) => (message.tool_calls as { id: string }[])[0].id);
      expect(sent.filter((_, at) => at % 2 === 1).map((message) => message.tool_call_id)).toEqual(calls);
      expect(new Set(calls).size).toBe(ids.length);
      for (const id of calls) expect(id).toMatch(rule);
    }
    expect((body(messages).messages[6].tool_calls as { id: string }[])[0].id).toBe('functions.weather:0');
  });

  it('knows the dialect of a known host', () => {
    const names = ['https://api.openai.com/v1', 'https://api.deepseek.com', 'https://openrouter.ai/api/v1', 'https://api.moonshot.cn/v1',
      'https://dashscope.aliyuncs.com/compatible-mode/v1', 'https://open.bigmodel.cn/api/paas/v4', 'https://api.mistral.ai/v1', 'http://localhost:11434/v1',
      'https://x.openai.azure.com/openai/v1', 'https://generativelanguage.googleapis.com/v1beta/openai', 'https://api.groq.com/openai/v1', 'https://user@my.host:8443/v1'];
    expect(names.map((url) => OpenAiDialects.forBaseUrl(url).name)).toEqual(['openai', 'deepseek', 'openrouter', 'kimi', 'qwen', 'zhipu', 'mistral', 'local',
      'azure', 'gemini', 'groq', 'generic']);
  });
});
