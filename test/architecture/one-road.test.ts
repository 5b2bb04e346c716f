import { describe, expect, it } from 'vitest';
import { CORE, readSources } from './sources';

/** Files of the core that call the method, without the one that defines it. */
function callers(sources: ReadonlyMap<string, string>, method: string, definedIn: string): string[] {
  const call = new RegExp(`\\.${method}\\(`);
  return [...sources].filter(([path, text]) => !path.endsWith(`/${definedIn}`) && call.test(text)).map(([path]) => path.slice(CORE.length + 1));
}

describe('one road', () => {
  const sources = readSources([CORE], /\.ts$/);

  it.each([['approvalRequired'], ['planReviewRequired'], ['suspended'], ['completed'], ['failed'], ['cancelled']])('S5 only the terminal gate tells %s, after its commit', (told) => {
    expect(callers(sources, `reporter\\.${told}`, 'RunReporter.ts')).toEqual(['runtime/run/TerminalGate.ts']);
  });

  it('S5 only the persister commits a session', () => {
    expect(callers(sources, 'store\\.commit', 'SessionStore.ts')).toEqual(['runtime/store/StatePersister.ts']);
  });

  it('S6 only the wire history makes the messages that a provider gets', () => {
    expect(callers(sources, 'toWire', 'WireHistory.ts')).toEqual(['runtime/model/TurnPreparer.ts']);
  });

  it('finds a second road', () => {
    const wrong = new Map([[`${CORE}/runtime/run/RunLoop.ts`, 'context.reporter.approvalRequired(batch);']]);
    expect(callers(wrong, 'reporter\\.approvalRequired', 'RunReporter.ts')).toEqual(['runtime/run/RunLoop.ts']);
  });
});
