import { describe, expect, it } from 'vitest';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import { ResolvedToolContract } from '@core/tool/ResolvedToolContract';
import { ToolCancellation, ToolEffect } from '@core/tool/ToolContract';

describe('ResolvedToolContract', () => {
  it('fills in the safe defaults', () => {
    expect({ ...new ResolvedToolContract({}, ToolRiskLevel.safe) }).toEqual({
      timeoutMs: 60_000, queueTimeoutMs: 0, effect: 'none', idempotent: false, cancellation: 'cooperative', concurrencySafe: false, background: false,
      maxResultChars: 16_000, resources: undefined, pollable: false, probe: undefined, title: '', describer: undefined,
    });
  });

  it('derives the effect from the risk, and an unheard-of risk counts as dangerous', () => {
    const effect = (risk: string): string => new ResolvedToolContract({}, risk as ToolRiskLevel).effect;
    expect(['safe', 'sensitive', 'dangerous', 'harmless'].map(effect)).toEqual(['none', 'reversible', 'irreversible', 'irreversible']);
  });

  it('keeps what the author says', () => {
    const contract = {
      timeoutMs: 0, effect: ToolEffect.none, idempotent: true, cancellation: ToolCancellation.none, concurrencySafe: true, background: true,
      maxResultChars: 0, pollable: true, title: 'Note',
    };
    const resolved = new ResolvedToolContract(contract, ToolRiskLevel.sensitive);
    expect(resolved).toMatchObject(contract);
    expect([resolved.numberProblems(), resolved.riskProblems(ToolRiskLevel.sensitive)]).toEqual([[], []]);
  });
});
