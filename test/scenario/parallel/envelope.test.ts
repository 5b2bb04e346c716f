import { describe, expect, it } from 'vitest';
import { AgentEventType } from '@core/runtime/report/AgentEvent';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ToolResult } from '@core/tool/ToolResult';
import type { ToolContract } from '@core/tool/ToolContract';
import type { ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { World } from '../../support/World';
import { AllowAll, Gate, batch, idle } from './Bench';

type Act = 'answer' | 'fail' | 'throw' | 'wait' | 'cancel';

/** [what happens, risk, contract, name called, acts, status, code, may be tried again, must be inspected, was started] */
type Row = [string, ToolRiskLevel, ToolContract, string, Act, string, string, boolean | undefined, boolean | undefined, boolean];
const STATES: ReadonlyArray<Row> = [
  ['it answers', ToolRiskLevel.safe, {}, 'act', 'answer', 'ok', '', undefined, undefined, true],
  ['nobody knows the tool', ToolRiskLevel.safe, {}, 'ghost', 'answer', 'rejected', 'tool_not_found', true, false, false],
  ['it reports a failure', ToolRiskLevel.safe, {}, 'act', 'fail', 'failed', '', true, false, true],
  ['it throws', ToolRiskLevel.sensitive, {}, 'act', 'throw', 'failed', 'tool_execution_failed', true, false, true],
  ['it changes nothing and is too slow', ToolRiskLevel.safe, { timeoutMs: 100 }, 'act', 'wait', 'failed', 'tool_timeout', true, false, true],
  ['it changes something and is too slow', ToolRiskLevel.sensitive, { timeoutMs: 100 }, 'act', 'wait', 'unknown', 'tool_timeout', false, true, true],
  ['it changes nothing and the run is cancelled', ToolRiskLevel.safe, {}, 'act', 'cancel', 'cancelled', 'tool_cancelled', false, false, true],
  ['it changes something and the run is cancelled', ToolRiskLevel.sensitive, {}, 'act', 'cancel', 'unknown', 'tool_outcome_unknown', false, true, true],
];

describe('EXE-12 every state of the envelope, alone and beside others', () => {
  it.each<[...Row, boolean]>(STATES.flatMap((row) => [false, true].map((beside): [...Row, boolean] => [...row, beside])))(
    'EXE-12 %s (%s, %j, %s, %s): %s %s', async (_what, risk, contract, name, act, status, code, allowed, inspect, begun, beside) => {
      const world = new World();
      const tool = world.tool('act', risk, { ...contract, concurrencySafe: beside });
      const gate = new Gate(tool, world.safe('other', { concurrencySafe: true }));
      const process = await world.open({ turns: [beside ? batch(name, 'other') : batch(name)], config: { approvalPolicy: new AllowAll() } });
      const run = process.say('go');
      await idle();
      if (beside) {
        await gate.end(2);
      }
      if (act === 'cancel') {
        void process.runtime.cancel('enough');
      } else if (act === 'throw') {
        await gate.fail(1, new Error('broken'));
      } else if (act !== 'wait' && begun) {
        await gate.end(1, act === 'fail' ? ToolResult.error('no') : ToolResult.text('yes'));
      }
      await idle();
      world.scheduler.advance(5000);
      await run;
      const envelope = process.log.runEvents.find((event) => event.type === AgentEventType.toolCallFinished && event.call?.id === 'c1')?.envelope as ToolResultEnvelope;
      expect([envelope.status, envelope.code, envelope.retry?.allowed, envelope.retry?.requiresInspection]).toEqual([status, code, allowed, inspect]);
      expect(envelope.timing.startedAtMs > 0).toBe(begun);
      expect(envelope.summary).toMatch(/^(act|ghost): /);
    });
});
