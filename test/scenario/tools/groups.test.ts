import { describe, expect, it } from 'vitest';
import { ToolGroupFeature } from '@core/toolset/ToolGroupFeature';
import { FunctionProvider, Session, Tools, WatchedStorage, call, calls, says, sensitive, type Answer } from '../run/harness';

const GROUPS = [{ name: 'files', description: 'Work with files.', tools: ['read', 'write'] }, { name: 'all', description: 'Everything.', sources: ['builtin'] }, { name: 'none', description: 'Nothing.' }];

function grouped(): { tools: Tools; feature: ToolGroupFeature } {
  const tools = new Tools().add('look').add('read').add('write', { risk: sensitive });
  const feature = new ToolGroupFeature({ groups: GROUPS.filter((group) => group.name !== 'all') });
  const added = feature.register(tools.registry);
  if (!added.ok) throw added.error;
  return { tools, feature };
}

async function open(answers: Answer[], storage?: WatchedStorage): Promise<{ session: Session; tools: Tools; feature: ToolGroupFeature; provider: FunctionProvider }> {
  const { tools, feature } = grouped();
  const provider = new FunctionProvider(...answers);
  const session = await Session.open({ provider, toolRegistry: tools.registry, features: [feature] }, storage);
  return { session, tools, feature, provider };
}

const seen = (provider: FunctionProvider): string[][] => provider.requests.map((request) => request.tools.map((tool) => tool.name));
const BASE = ['look', 'list_tool_groups', 'open_tool_group'];

describe('groups that a model opens', () => {
  it('REG-08 are listed first, opened on demand, and equal requests hold the very same list', async () => {
    const { session, tools, feature, provider } = await open([
      calls(call('c1', 'list_tool_groups'), call('c2', 'read')), calls(call('c3', 'open_tool_group', { group: 'files' })), calls(call('c4', 'read')), calls(call('c5', 'open_tool_group', { group: 'files' })), says('done'),
    ]);
    await session.run();
    expect(session.problems()).toEqual([]);
    expect(seen(provider)).toEqual([BASE, BASE, ['look', 'read', 'write', ...BASE.slice(1)], ['look', 'read', 'write', ...BASE.slice(1)], ['look', 'read', 'write', ...BASE.slice(1)]]);
    expect(provider.requests[1].tools).toBe(provider.requests[0].tools);
    expect(provider.requests[4].tools).toBe(provider.requests[2].tools);
    expect(session.history).toContain('tool c1 files (closed, tools: 2): Work with files.\nnone (closed, tools: 0): Nothing.');
    expect(session.history).toContain('tool c2 !tool_not_visible: Tool not available now: read');
    expect(session.history).toContain('tool c3 files: opened. From the next turn on:\n- read: does read\n- write: does write');
    expect(session.history).toContain('tool c4 read done');
    expect(session.history.find((line) => line.startsWith('tool c5'))).toContain('files: open already');
    expect(tools.count('read')).toBe(1);
    expect(feature.openGroups()).toEqual(['files']);
  });

  it('stay open for the session, also in the next process', async () => {
    const first = await open([calls(call('c1', 'open_tool_group', { group: 'files' })), says('done')]);
    await first.session.run();
    const again = await open([says('back')], WatchedStorage.after(first.session.storage.texts, first.session.storage.texts.length));
    await again.session.run();
    expect(seen(again.provider)[0]).toEqual(['look', 'read', 'write', ...BASE.slice(1)]);
  });

  it('name what there is when a model asks for another, and show no effect that asks to run unasked', async () => {
    const { session, tools } = await open([calls(call('c1', 'open_tool_group', { group: '__proto__' })), calls(call('c2', 'open_tool_group', { group: 'files' })), calls(call('c3', 'write')), says('done')]);
    const outcome = await session.run();
    expect(session.history).toContain('tool c1 !no such group; there are: files, none');
    expect(outcome.value.kind).toBe('suspended');
    expect(tools.count('write')).toBe(0);
  });

  it('never hide the tools that open them, and are refused when their names cannot be told apart', async () => {
    const tools = new Tools().add('look');
    const feature = new ToolGroupFeature({ groups: GROUPS });
    expect(feature.register(tools.registry).ok).toBe(true);
    const provider = new FunctionProvider(says('done'));
    await (await Session.open({ provider, toolRegistry: tools.registry, features: [feature] })).run();
    expect(seen(provider)).toEqual([['list_tool_groups', 'open_tool_group']]);
    const twice = new Tools();
    expect(new ToolGroupFeature({ groups: [GROUPS[0], GROUPS[0], { name: 'a b', description: '' }] }).register(twice.registry).error.code).toBe('config_invalid');
    twice.add('open_tool_group');
    expect(new ToolGroupFeature({ groups: GROUPS }).register(twice.registry).error.code).toBe('tool_name_duplicate');
    expect(twice.registry.list().map((tool) => tool.name)).toEqual(['open_tool_group']);
  });
});
