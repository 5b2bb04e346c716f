import { readFileSync } from 'node:fs';
import { ScriptedTurn } from 'agent_core';
import { describe, expect, it } from 'vitest';
import { EventLog } from './eventLog';

const document = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** Steps of a block that follows `<!-- event tree: name -->`; ` · ` separates steps, `# ` begins a remark. */
function tree(name: string): string[] {
  const block = new RegExp(`<!-- event tree: ${name} -->\\n\`\`\`text\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (block === null) throw new Error(`docs/architecture.md has no event tree "${name}"`);
  const steps = block[1]!.split('\n').map((line) => line.replace(/#.*$/, '')).join(' · ').split(' · ').map((step) => step.trim());
  return steps.filter((step) => step !== '').flatMap(expand);
}

function expand(step: string): string[] {
  const [kind, reason] = step.split(' ');
  if (kind !== 'save') return [step];
  return ['hook beforePersistState', `commit ${reason}`, 'hook afterPersistState', 'bus state.persisted', 'observer state_persisted'];
}

describe('event trees of docs/architecture.md', () => {
  it('a plain run', async () => {
    const log = await EventLog.open([ScriptedTurn.text('Hi')]);
    await log.say('x');
    expect(log.take()).toEqual(tree('plain'));
  });

  it('a run with a call', async () => {
    const log = await EventLog.open([ScriptedTurn.call('c1', 'safe', '{}'), ScriptedTurn.text('Hi')]);
    await log.say('x');
    const heard = log.take();
    expect(heard.slice(heard.indexOf('hook beforeToolCall'), heard.lastIndexOf('hook beforeModelCall'))).toEqual(tree('tool'));
  });

  it('a question, its answer, and the resume', async () => {
    const log = await EventLog.open([ScriptedTurn.call('c1', 'dangerous', '{}'), ScriptedTurn.text('Hi')]);
    await log.say('x');
    const asked = log.take();
    expect(asked.slice(asked.indexOf('hook beforeToolCall'))).toEqual(tree('question'));
    await log.controller.approve(log.controller.listPendingApprovals()[0]!.approvalId);
    expect(log.take()).toEqual(tree('decision'));
    await log.resume();
    const resumed = log.take();
    expect(resumed.slice(0, resumed.indexOf('hook beforeModelCall'))).toEqual(tree('resume'));
  });
});
