import {
  AgentController, AgentMessage, AgentRuntime, BaseObserver, InMemoryStateStorage, ScriptedProvider, ScriptedTurn, ToolRegistry,
  type AgentConfig, type AgentEvent, type AgentHook, type StateStorage,
} from 'agent_core';
import { CountingIdGenerator, ManualClock, ManualScheduler, TestDigest } from '@core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeleteNote } from '../gate/consumer/DeleteNote.ets';
import { ProtectFirstNote } from '../gate/consumer/ProtectFirstNote.ets';

const observer = new BaseObserver<AgentEvent>();
let notes: Map<string, string>;
let storage: StateStorage;
let controller: AgentController;

beforeEach(() => {
  notes = new Map([['n1', 'flour'], ['n2', 'water']]);
  storage = new InMemoryStateStorage();
});

/** As a process that starts: everything is new but the notes and what was stored. */
async function start(turns: ScriptedTurn[], hooks: AgentHook[] = []): Promise<AgentRuntime> {
  controller = new AgentController();
  const tools = new ToolRegistry();
  expect(tools.register(DeleteNote.definition(), new DeleteNote(notes)).ok).toBe(true);
  const config: AgentConfig = {
    sessionId: 'notes-1', provider: new ScriptedProvider(turns), toolRegistry: tools, controller, hooks, stateStorage: storage,
    ports: { clock: new ManualClock(1000), scheduler: new ManualScheduler(), ids: new CountingIdGenerator(`p${Math.random()}-`), digest: new TestDigest() },
  };
  return (await AgentRuntime.open(config)).value;
}

function answers(runtime: AgentRuntime): string[] {
  const history = runtime.snapshot().history;
  return Array.from({ length: history.length }, (_, at) => history.at(at)!.text());
}

describe('the quick start of the README', () => {
  it('asks, survives the process, and deletes once when a person agrees', async () => {
    const first = await start([ScriptedTurn.call('c1', 'delete_note', '{"noteId":"n1"}')]);
    const asked = await first.runStream([AgentMessage.user('Delete note n1')], observer);
    expect([asked.value.kind, notes.size]).toEqual(['suspended', 2]);

    const second = await start([ScriptedTurn.text('Done.')]);
    expect(second.restored).toBe(true);
    const [question] = controller.listPendingApprovals();
    expect(question!.toolCall.argumentsJson).toBe('{"noteId":"n1"}');
    expect((await controller.approve(question!.approvalId)).allDecided).toBe(true);
    expect((await second.resume(observer)).value.kind).toBe('completed');
    expect([...notes.keys()]).toEqual(['n2']);
    expect(answers(second).slice(-2)).toEqual(['note "n1" is deleted', 'Done.']);
  });

  it('the hook refuses one note, nobody is asked, and the model is told', async () => {
    const runtime = await start([ScriptedTurn.call('c1', 'delete_note', '{"noteId":"n1"}'), ScriptedTurn.text('I may not.')], [new ProtectFirstNote()]);
    expect((await runtime.runStream([AgentMessage.user('Delete note n1')], observer)).value.kind).toBe('completed');
    expect([notes.size, answers(runtime)[2]]).toEqual([2, 'tool_denied: note n1 is protected']);
  });
});
