import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorCatalog } from '@core/base/ErrorCatalog';
import { DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import type { ToolResultEnvelope } from '@core/tool/ToolResultEnvelope';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { idle } from '../parallel/Bench';
import { ACTS } from './acts';
import { Grounds } from './Grounds';

const TEXT = '{"text":"Some Words","path":"p"}';
/** Acts whose end is more than "one of the five": status and code. */
const ENDS: Record<string, string> = {
  echo: 'ok ', echoError: 'failed ', stop: 'ok ', thenableTwice: 'ok ', changeLater: 'ok ', lone: 'ok ', throwOwnCode: 'failed own_code',
  hang: 'failed tool_timeout', late: 'failed tool_timeout', thenableNever: 'failed tool_timeout', throwDecodedCode: 'failed tool_execution_failed',
};
const FAILS = ['throwEcho', 'throwSecretCode', 'throwOddCode', 'throwString', 'throwNull', 'throwUndefined', 'throwOddMessage', 'throwGetter', 'throwSpikes', 'throwSpikedSpikes', 'throwCyclicCause', 'reject', 'rejectNothing', 'nothing', 'none', 'number',
  'lookalike', 'thenable', 'spiked', 'bare', 'noContents', 'oddContents', 'oddParts', 'forgedPart', 'numberPart', 'oddFlags', 'cyclicMetadata', 'cyclicJson', 'deepJson'];

describe('tools that break every promise', () => {
  let grounds: Grounds;
  beforeAll(async () => { grounds = await Grounds.open(); });
  afterAll(() => grounds.dispose());

  it.each(Object.keys(ACTS))('EXE-09 EXE-12 %s: the call ends, once, as what it is', async (act) => {
    grounds.expect({ acts: [act], texts: [TEXT], unknown: UnknownArgumentPolicy.allow, movesMarks: false });
    const scheduler = new ManualScheduler();
    const pipeline = new ToolPipeline({
      registry: grounds.registry(UnknownArgumentPolicy.allow), hooks: new AgentHookPipeline([], scheduler), approvalPolicy: new DefaultToolApprovalPolicy(), clock: new ManualClock(), scheduler,
      maxArgumentChars: 1000, grace: { cancelGraceMs: 10, timeoutGraceMs: 10 },
    });
    let ended: ToolResultEnvelope | undefined;
    void pipeline.call('open', TEXT).then((envelope) => { ended = envelope; });
    await idle();
    scheduler.advance(6000);
    await idle();
    grounds.settleLate();
    await idle();
    const end = `${ended?.status} ${ended?.code}`;
    const expected = ENDS[act] ?? (FAILS.includes(act) ? 'failed tool_execution_failed' : undefined);
    if (expected !== undefined) expect(end).toBe(expected);
    expect(['ok', 'failed']).toContain(ended?.status);
    expect(ended?.code === '' || ended?.code === 'own_code' || ErrorCatalog.find(ended?.code ?? '?') !== undefined, end).toBe(true);
    expect(ended?.result.contents.every((part) => typeof (part.asText() ?? part.asUri() ?? '') === 'string')).toBe(true);
    if (act === 'changeLater') expect(ended?.result.text()).toBe('ok');
    expect(grounds.faults).toEqual([]);
  });
});
