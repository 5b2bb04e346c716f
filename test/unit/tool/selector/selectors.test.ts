import { describe, expect, it } from 'vitest';
import { AgentMode, SessionModes } from '@core/execution/policy/ModePolicy';
import { ToolEffect } from '@core/tool/ToolContract';
import type { SelectableTool, ToolSelection } from '@core/tool/ToolSelector';
import { FixedOpenGroups, GroupSelector, type OpenGroups } from '@core/tool/selector/GroupSelector';
import { CurrentStage, StageSelector } from '@core/tool/selector/StageSelector';
import { ToolGroup } from '@core/tool/selector/ToolGroup';
import { ModeSelector } from '@core/toolset/ModeSelector';
import { definition } from '../support';

const one = (name: string, effect = ToolEffect.none, source = 'builtin'): SelectableTool => ({ definition: definition(name), effect, source });
const TOOLS = [one('look'), one('write', ToolEffect.reversible), one('web__find', ToolEffect.none, 'mcp:web'), one('drop', ToolEffect.irreversible), one('both')];
const FILES = new ToolGroup({ name: 'files', description: 'files', tools: ['write', 'both', 'missing'] });
const WEB = new ToolGroup({ name: 'web', description: 'web', tools: ['both'], sources: ['mcp:web'] });

const shown = (selection: ToolSelection): string[] => selection.visible.map((tool) => tool.name);
const hidden = (selection: ToolSelection): Record<string, string> => Object.fromEntries(selection.hidden.map((tool) => [tool.name, tool.reason]));
const complete = (selection: ToolSelection): void => expect([...shown(selection), ...Object.keys(hidden(selection))].sort()).toEqual(TOOLS.map((tool) => tool.definition.name).sort());

class Opened implements OpenGroups {
  names: ReadonlySet<string> = new Set();
  open(): ReadonlySet<string> {
    return this.names;
  }
}

describe('GroupSelector', () => {
  it('REG-08 shows tools of open groups and of none in the given order, each hidden one with its reason, the same object while nothing changes', () => {
    const opened = new Opened();
    const selector = new GroupSelector([FILES, WEB], opened);
    const closed = selector.select(TOOLS);
    expect(shown(closed)).toEqual(['look', 'drop']);
    expect(hidden(closed)).toEqual({ 'write': 'the group files is not open', 'web__find': 'the group web is not open', 'both': 'the group files, web is not open' });
    expect(selector.select(TOOLS)).toBe(closed);
    opened.names = new Set(['web']);
    const open = selector.select(TOOLS);
    expect(shown(open)).toEqual(['look', 'web__find', 'drop', 'both']);
    expect(selector.select(TOOLS)).toBe(open);
    expect(selector.select(TOOLS.slice(0, 1))).not.toBe(open);
    complete(open);
    expect(shown(new GroupSelector([FILES, WEB], new FixedOpenGroups(['files']), ['web__find']).select(TOOLS))).toEqual(['look', 'write', 'web__find', 'drop', 'both']);
  });
});

describe('StageSelector', () => {
  it('REG-08 shows what the stage allows, and the same object when a stage comes back', () => {
    const stage = new CurrentStage('read');
    const selector = new StageSelector([{ name: 'read', effects: false }, { name: 'files', groups: ['files'] }, { name: 'odd', groups: [], tools: ['web__find'], effects: false }, { name: 'all' }], stage, [FILES, WEB]);
    const read = selector.select(TOOLS);
    expect(shown(read)).toEqual(['look', 'web__find', 'both']);
    expect(hidden(read)['write']).toBe('nothing may be changed in the stage read');
    stage.enter('files');
    expect(shown(selector.select(TOOLS))).toEqual(['look', 'write', 'drop', 'both']);
    expect(hidden(selector.select(TOOLS))).toEqual({ 'web__find': 'not for the stage files' });
    stage.enter('odd');
    expect(shown(selector.select(TOOLS))).toEqual(['look', 'web__find']);
    stage.enter('all');
    expect(shown(selector.select(TOOLS))).toHaveLength(5);
    stage.enter('read');
    expect(selector.select(TOOLS)).toBe(read);
    stage.enter('unheard of');
    expect(shown(selector.select(TOOLS))).toEqual([]);
    complete(selector.select(TOOLS));
  });
});

describe('ModeSelector', () => {
  it('shows nothing with an effect in read-only and plan mode, and fails closed', () => {
    const modes = new SessionModes();
    const selector = new ModeSelector(modes, 's', ['write']);
    const readOnly = selector.select(TOOLS);
    expect(shown(readOnly)).toEqual(['look', 'write', 'web__find', 'both']);
    expect(hidden(readOnly)).toEqual({ 'drop': 'read-only mode: nothing may be changed' });
    modes.set('s', AgentMode.plan);
    expect(hidden(selector.select(TOOLS))['drop']).toContain('plan mode');
    modes.set('s', AgentMode.full);
    expect(shown(selector.select(TOOLS))).toHaveLength(5);
    modes.set('s', AgentMode.readOnly);
    expect(selector.select(TOOLS)).toBe(readOnly);
    expect(shown(new ModeSelector({ modeOf: () => { throw new Error('lost'); } }, 's').select(TOOLS))).toEqual(['look', 'web__find', 'both']);
  });
});
