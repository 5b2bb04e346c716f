import {
  AgentMessage, CancellationController, ContentPart, JsonObject, MessageList, MessageRole, ModelRequest, ModelResponse,
  ToolContext, ToolDefinition, ToolRiskLevel, ToolServiceRegistry, type ToolResult,
} from 'agent_core';
import { beforeEach, describe, expect, it } from 'vitest';
import { BakingFolder } from '../../../entry/src/main/ets/baking/BakingFiles.ets';
import { BakingModel } from '../../../entry/src/main/ets/baking/BakingModel.ets';
import { BakingSeed } from '../../../entry/src/main/ets/baking/BakingSeed.ets';
import { BakingTools } from '../../../entry/src/main/ets/baking/BakingTools.ets';
import { HandScheduler } from './fixtures';

class MemoryFiles {
  readonly folders = new Map<string, Map<string, string>>();
  readonly effects: string[] = [];
  private folder(name: BakingFolder): Map<string, string> {
    if (!this.folders.has(name)) this.folders.set(name, new Map());
    return this.folders.get(name)!;
  }
  async list(folder: BakingFolder): Promise<string[]> { return [...this.folder(folder).keys()].sort(); }
  count(folder: BakingFolder): number { return this.folder(folder).size; }
  async read(folder: BakingFolder, name: string): Promise<string | undefined> { return this.folder(folder).get(name); }
  async write(folder: BakingFolder, name: string, text: string): Promise<void> { this.folder(folder).set(name, text); }
  async remove(folder: BakingFolder, name: string): Promise<boolean> { return this.folder(folder).delete(name); }
  logEffect(line: string): void { this.effects.push(line); }
}

let files: MemoryFiles;
const call = (name: string, args: Record<string, string>): Promise<ToolResult> => {
  const tool = BakingTools.all(files, 'en').find((one) => one.definition.name === name)!;
  const json = new JsonObject();
  for (const [key, value] of Object.entries(args)) json.setString(key, value);
  const state = { schemaVersion: 2, sessionId: 's', metadata: () => new JsonObject() };
  return tool.executor.execute(json, new ToolContext('s', state, 'b-1', CancellationController.never(), new ToolServiceRegistry()));
};

beforeEach(async () => {
  files = new MemoryFiles();
  await BakingSeed.fill(files);
});

describe('baking tools', () => {
  it('register under the baseline profile, one of each risk level', () => {
    const registry = BakingTools.registry(BakingTools.all(files, 'zh-CN'));
    expect(registry.ok).toBe(true);
    expect(registry.value.list().map((d: ToolDefinition) => [d.name, d.riskLevel])).toEqual([
      ['read_baking_records', ToolRiskLevel.safe], ['update_recipe_note', ToolRiskLevel.sensitive], ['clear_baking_cache', ToolRiskLevel.dangerous],
    ]);
  });

  it('name the object in a sentence that starts with the verb, in both languages', () => {
    const [read, note, clear] = BakingTools.all(files, 'en').map((tool) => tool.contract.describer!);
    const args = (key: string, value: string): JsonObject => new JsonObject().setString(key, value);
    expect(clear.describe(args('confirm', 'yes'), 'en')).toBe('Delete 3 cached baking records?');
    expect(clear.describe(args('confirm', 'yes'), 'zh-CN')).toBe('删除 3 条缓存的烘焙记录？');
    expect(clear.describe(args('confirm', 'brioche-oven-log'), 'en')).toBe('Delete the cached baking record “brioche-oven-log”?');
    expect(note.describe(args('recordId', 'brioche'), 'zh')).toBe('修改配方「brioche」的备注？');
    expect(read.describe(args('recordId', 'x'.repeat(99)), 'en').length).toBeLessThan(80);
  });

  it('answers an unknown record, or a path, as an error', async () => {
    for (const recordId of ['rye', '../notes/x', '', 'a/b', 'SOURDOUGH']) {
      const result = await call('read_baking_records', { recordId });
      expect([result.isError, result.text()]).toEqual([true, `unknown record: ${recordId}`]);
    }
    expect((await call('read_baking_records', { recordId: 'all' })).text()).toBe('records: baguette, brioche, sourdough');
  });

  it('clears only after a clear word and logs the effect before it touches a file', async () => {
    expect((await call('clear_baking_cache', { confirm: 'sure' })).isError).toBe(true);
    expect(files.effects).toEqual([]);
    expect((await call('clear_baking_cache', { confirm: 'brioche-oven-log' })).text()).toBe('deleted 1 cached record: brioche-oven-log');
    expect((await call('clear_baking_cache', { confirm: 'yes' })).text()).toContain('deleted 2');
    expect((await call('clear_baking_cache', { confirm: 'yes' })).text()).toContain('was empty');
    // Also the run that found nothing: a second run of one approved call must show in the log.
    expect(files.effects).toHaveLength(3);
    expect(files.count(BakingFolder.records)).toBe(3);
  });

  it('changes a note and keeps the one before; refuses empty and endless ones', async () => {
    await call('update_recipe_note', { recordId: 'brioche', note: 'one' });
    expect((await call('update_recipe_note', { recordId: 'brioche', note: 'two' })).isError).toBe(false);
    expect([await files.read(BakingFolder.notes, 'brioche'), await files.read(BakingFolder.notes, 'brioche-before')]).toEqual(['two', 'one']);
    for (const note of ['', '   ', 'x'.repeat(501)]) expect((await call('update_recipe_note', { recordId: 'brioche', note })).isError).toBe(true);
    expect((await call('update_recipe_note', { recordId: 'rye', note: 'x' })).isError).toBe(true);
  });
});

function ask(history: AgentMessage[], delay = 0): { deltas: string[]; response: ModelResponse | undefined; completed: number; scheduler: HandScheduler; cancel: () => void } {
  const scheduler = new HandScheduler();
  const control = new CancellationController();
  const seen = { deltas: [] as string[], response: undefined as ModelResponse | undefined, completed: 0, scheduler, cancel: () => void control.cancel('x') };
  new BakingModel(scheduler, delay).stream(new ModelRequest('', MessageList.of(history), [], {}), {
    onNext: (event) => { if (event.response === undefined) seen.deltas.push(event.text); else seen.response = event.response; },
    onError: () => { throw new Error('no error expected'); },
    onComplete: () => { seen.completed++; },
  }, control.signal);
  return seen;
}

/** Goes on with the conversation until the model answers without a call. */
function converse(sentence: string, answers: Record<string, [string, boolean]>): { calls: string[]; text: string } {
  const history = [AgentMessage.user('earlier'), AgentMessage.assistant('x'), AgentMessage.user(sentence)];
  const calls: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const { response } = ask(history);
    if (response!.toolCalls.length === 0) return { calls, text: response!.text };
    history.push(new AgentMessage({ role: MessageRole.assistant, contents: [ContentPart.text(response!.text)], toolCalls: response!.toolCalls }));
    for (const one of response!.toolCalls) {
      calls.push(`${one.name} ${one.argumentsJson}`);
      const [text, isError] = answers[one.name] ?? ['fine', false];
      history.push(AgentMessage.toolResult(one.id, [ContentPart.text(text)], isError));
    }
  }
  throw new Error('the model goes in circles');
}

describe('BakingModel', () => {
  it('streams several pieces that together are the text, then completes once', () => {
    const seen = ask([AgentMessage.user('Clear the baking cache, please')]);
    expect(seen.deltas.length).toBeGreaterThan(2);
    expect(seen.deltas.join('')).toBe(seen.response!.text);
    expect(seen.completed).toBe(1);
    expect(ask([AgentMessage.user('Clear the baking cache, please')]).response).toEqual(seen.response);
  });

  it('takes its time when asked to, and says nothing more after a cancel', () => {
    const seen = ask([AgentMessage.user('help')], 10);
    expect(seen.deltas).toEqual([]);
    seen.scheduler.advance(20);
    seen.scheduler.advance(20);
    const before = seen.deltas.length;
    expect(before).toBeGreaterThan(0);
    seen.cancel();
    seen.scheduler.advance(10_000);
    expect([seen.deltas.length, seen.completed]).toEqual([before, 0]);
  });

  it('reads first, then asks to clear; the answer follows what became of it', () => {
    const done = converse('Clear the baking cache', { clear_baking_cache: ['deleted 3 cached records: a, b, c', false] });
    expect(done.calls).toEqual(['read_baking_records {"recordId":"sourdough"}', 'clear_baking_cache {"confirm":"yes"}']);
    expect(done.text).toContain('deleted 3 cached records');
    const denied = converse('Clear the baking cache', { clear_baking_cache: ['tool_denied: keep them', true] });
    expect(denied.text).toBe('Understood, I changed nothing (keep them).');
    const unknown = converse('清空烘焙缓存', { clear_baking_cache: ['tool_outcome_unknown: ?', true] });
    expect(unknown.text).toContain('不会重复执行');
    const failed = converse('Clear the baking cache', { clear_baking_cache: ['disk is gone', true] });
    expect(failed.text).toBe('That did not work: disk is gone.');
  });

  it('handles reading, notes and anything else, in English and Chinese', () => {
    expect(converse('How was my brioche record?', { read_baking_records: ['brioche: good', false] }).text).toContain('brioche: good');
    const note = converse('Note for baguette: less water', {});
    expect(note.calls[1]).toBe('update_recipe_note {"recordId":"baguette","note":"less water"}');
    expect(converse('给法棍记下备注：少放水', {}).calls[1]).toBe('update_recipe_note {"recordId":"baguette","note":"少放水"}');
    expect(converse('看看布里欧修的记录', {}).calls).toEqual(['read_baking_records {"recordId":"brioche"}']);
    expect(converse('Tell me a joke', {}).calls).toEqual([]);
    expect(converse('讲个笑话', {}).text).toContain('清空');
    expect(converse('Read the record', { read_baking_records: ['unknown record: x', true] }).text).toContain('unknown record: x');
  });
});
