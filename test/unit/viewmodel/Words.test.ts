import { describe, expect, it } from 'vitest';
import { AgentStopReason, ArkAgentError, ErrorCode, ErrorLayer } from 'agent_core';
import { Ending, NextStep } from '../../../entry/src/main/ets/viewmodel/Ending.ets';
import { WordKey } from '../../../entry/src/main/ets/viewmodel/WordKey.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';

const en = new Words('en');
const zh = new Words('zh-CN');
const placeholders = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).sort();

describe('Words', () => {
  it('has every key once, in both languages, with the same placeholders', () => {
    const keys = Object.values(WordKey) as string[];
    const lines = Words.entries() as ReadonlyArray<{ key: string; en: string; zh: string }>;
    expect(lines.map((line) => line.key).sort()).toEqual([...keys].sort());
    for (const line of lines) {
      expect(placeholders(line.zh), line.key).toEqual(placeholders(line.en));
      if (line.key === WordKey.nextNothing) continue;
      expect(line.en.trim(), line.key).not.toBe('');
      expect(/[\u3400-\u9fff]/.test(line.zh), line.key).toBe(true);
      expect(/[\u3400-\u9fff]/.test(line.en), line.key).toBe(false);
    }
  });

  it('fills in foreign text once and as it is', () => {
    expect(en.of(WordKey.cardRefused, '$& {1}', 'why {0}')).toBe('$& {1}: already refused: why {0}');
    expect(zh.of(WordKey.restoredQuestions, '3')).toBe('有 3 个问题等待回答');
  });

  it('falls back to English for any other language', () => {
    expect(new Words('de').of(WordKey.cardDeny)).toBe('Deny');
    expect(new Words('zh-Hant').of(WordKey.cardDeny)).toBe('拒绝');
  });
});

describe('Ending', () => {
  it('every stop reason has own words in both languages and says what can be done next', () => {
    const seen = new Set<string>();
    for (const reason of Object.values(AgentStopReason)) {
      const ending = Ending.ofStop(reason);
      seen.add(ending.word);
      for (const words of [en, zh]) expect(ending.text(words).trim(), reason).not.toBe('');
      if (reason !== AgentStopReason.complete) expect(ending.next, reason).not.toBe(NextStep.nothing);
    }
    expect(seen.size).toBe(Object.values(AgentStopReason).length);
  });

  it('every error code has words; the ones that end a run name the next step', () => {
    for (const code of Object.values(ErrorCode)) {
      const ending = Ending.ofCode(code);
      expect(ending, code).toBeDefined();
      expect(ending!.text(en).trim(), code).not.toBe('');
      expect(ending!.text(zh).trim(), code).not.toBe('');
    }
    for (const code of Object.values(ErrorCode).filter((c) => /^(provider|transport|state|session|max|loop|history)_/.test(c))) {
      expect(Ending.ofCode(code)!.next, code).not.toBe(NextStep.nothing);
    }
  });

  it('says what the error table of the contract says', () => {
    const text = (code: ErrorCode): string => Ending.ofError(ArkAgentError.of(code, 'x')).text(en);
    expect(text(ErrorCode.hookAbort)).toContain('safety rule');
    expect(text(ErrorCode.loopDetected)).toContain('going in circles');
    expect(text(ErrorCode.stateSaveFailed)).toContain('Could not save');
    expect(text(ErrorCode.stateConflict)).toContain('continued elsewhere');
    expect(text(ErrorCode.providerServerError)).toContain('model service');
    expect(text(ErrorCode.stateCorrupt)).toContain('new session');
    expect(text(ErrorCode.pendingApprovalBlocksInput)).toContain('question');
  });

  it('an error of an app or a tool is worded by its layer; a network fault is never called a cancel', () => {
    expect(Ending.ofError(new ArkAgentError(ErrorLayer.tool, 'oven_cold', 'x')).text(en)).toContain('tool');
    for (const layer of Object.values(ErrorLayer)) expect(Ending.ofLayer(layer).text(zh)).not.toBe('');
    expect(Ending.ofCode(ErrorCode.transportFailed)!.word).not.toBe(WordKey.endCancelled);
  });
});
