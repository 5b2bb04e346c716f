import { describe, expect, it } from 'vitest';
import { ErrorCatalog } from '@core/base/ErrorCatalog';
import { ErrorCode, ErrorLayer, ErrorResumability, ErrorRetryability } from '@core/base/ErrorCodes';
import { CORE, readSources } from './sources';

/** Folders whose files assert things. This file names every code, so it does not count. */
const TESTS = ['test', 'agent_core/src/test', 'entry/src/test'];
const NOT_A_TEST = 'test/architecture/error-codes.test.ts';
const DEFINITIONS = [`${CORE}/base/ErrorCodes.ts`, `${CORE}/base/ErrorCatalog.ts`];

const members = Object.entries(ErrorCode) as Array<[keyof typeof ErrorCode, ErrorCode]>;

/** Members of the enum that no source uses. */
function unused(names: readonly string[], sources: ReadonlyMap<string, string>): string[] {
  const text = [...sources].filter(([path]) => !DEFINITIONS.includes(path)).map(([, source]) => source).join('\n');
  return names.filter((name) => !new RegExp(`\\bErrorCode\\.${name}\\b`).test(text));
}

/** Codes that no test names, neither as a word in quotes or messages nor as a member. */
function unasserted(codes: ReadonlyArray<readonly [string, string]>, sources: ReadonlyMap<string, string>): string[] {
  const text = [...sources].filter(([path]) => path !== NOT_A_TEST).map(([, source]) => source).join('\n');
  return codes.filter(([name, code]) => !new RegExp(`['"\`!^ ]${code}\\b|\\bErrorCode\\.${name}\\b`).test(text)).map(([, code]) => code);
}

describe('error codes', () => {
  it('ERR-01 every code is listed once with layer, retryability, resumability and advice', () => {
    const listed = ErrorCatalog.entries().map((entry) => entry.code);
    expect(listed.slice().sort()).toEqual(members.map(([, code]) => code).sort());
    for (const entry of ErrorCatalog.entries()) {
      expect(Object.values(ErrorLayer)).toContain(entry.layer);
      expect(Object.values(ErrorRetryability)).toContain(entry.retryability);
      expect(Object.values(ErrorResumability)).toContain(entry.resumability);
      expect(entry.advice, entry.code).toMatch(/^[A-Z].+\.$/);
      expect(ErrorCatalog.find(entry.code)).toBe(entry);
    }
    expect(ErrorCatalog.find('a code of an app')).toBeUndefined();
  });

  it('ERR-01 the member is the code in other letters, so that it can be searched for', () => {
    for (const [name, code] of members) expect(code).toBe(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  });

  it('ERR-01 every code is made somewhere in the core: a code that nothing raises goes', () => {
    expect(unused(members.map(([name]) => name), readSources([CORE], /\.ts$/))).toEqual([]);
  });

  it('ERR-01 every code is asserted by a test', () => {
    expect(unasserted(members, readSources(TESTS, /\.test\.(ts|ets)$/))).toEqual([]);
  });

  it('ERR-01 the scans notice a code that nobody raises and one that nobody asserts', () => {
    const sources = new Map([[`${CORE}/x.ts`, 'ErrorCode.toolDenied'], [DEFINITIONS[0], 'ErrorCode.other']]);
    expect(unused(['toolDenied', 'tool', 'other'], sources)).toEqual(['tool', 'other']);
    expect(unasserted([['toolDenied', 'tool_denied'], ['toolTimeout', 'tool_timeout']], new Map([['test/a.test.ts', "expect(code).toBe('tool_denied')"], [NOT_A_TEST, "'tool_timeout'"]]))).toEqual(['tool_timeout']);
  });

  const table: Array<[ErrorCode, ErrorLayer, ErrorResumability]> = [
    [ErrorCode.hookAbort, ErrorLayer.security, ErrorResumability.newInput], [ErrorCode.toolDenied, ErrorLayer.security, ErrorResumability.inHistory],
    [ErrorCode.awaitingApproval, ErrorLayer.security, ErrorResumability.yes], [ErrorCode.awaitingPlanReview, ErrorLayer.security, ErrorResumability.yes],
    [ErrorCode.pendingApprovalBlocksInput, ErrorLayer.security, ErrorResumability.yes], [ErrorCode.pendingPlanReviewBlocksInput, ErrorLayer.security, ErrorResumability.yes],
    [ErrorCode.maxTurnsReached, ErrorLayer.runtime, ErrorResumability.newInput], [ErrorCode.stateConflict, ErrorLayer.storage, ErrorResumability.reload],
    [ErrorCode.stateCorrupt, ErrorLayer.storage, ErrorResumability.no], [ErrorCode.stateVersionUnsupported, ErrorLayer.storage, ErrorResumability.no],
    [ErrorCode.sessionNotResumable, ErrorLayer.storage, ErrorResumability.no], [ErrorCode.approvalHostMissing, ErrorLayer.runtime, ErrorResumability.notApplicable],
    [ErrorCode.requestHandlerDuplicate, ErrorLayer.config, ErrorResumability.notApplicable], [ErrorCode.toolCancelled, ErrorLayer.cancelled, ErrorResumability.inHistory],
  ];
  it.each(table)('ERR-01 %s is of layer %s and leaves the session %s', (code, layer, resumability) => {
    expect(ErrorCatalog.find(code)).toMatchObject({ layer, resumability });
  });

  it('ERR-01 families of codes belong to their layer', () => {
    const families: Array<[RegExp, ErrorLayer[]]> = [
      [/^json_/, [ErrorLayer.decode]], [/^schema_/, [ErrorLayer.config]], [/^tool_argument|^tool_not_found|^tool_execution_failed/, [ErrorLayer.tool]], [/^provider_/, [ErrorLayer.provider]],
      [/^transport_/, [ErrorLayer.transport]], [/^(state|session)_/, [ErrorLayer.storage]], [/^approval_(not_found|batch|expired|edit|required)/, [ErrorLayer.security]],
    ];
    for (const [pattern, layers] of families) {
      const family = ErrorCatalog.entries().filter((entry) => pattern.test(entry.code));
      expect(family.length).toBeGreaterThan(0);
      for (const entry of family) expect([entry.code, layers]).toEqual([entry.code, expect.arrayContaining([entry.layer])]);
    }
  });
});
