import { describe, expect, it } from 'vitest';
import { RedactingChunkFilter } from '@core/execution/redaction/RedactingChunkFilter';
import { Redactor } from '@core/execution/redaction/Redactor';
import { SecretBook } from '@core/execution/redaction/SecretBook';

const KEY = 'sk-abcdEFGH1234ijklMNOP5678qrst';
/** What stands in front of the key, as a text that was escaped once more has it. */
const BEFORE = ['line\\n', 'line\\\\n', 'tab\\t', '\\r\\n', '\\u0001', '\\\\u000a', 'x\\f', '"a\\b'];

describe('a secret behind an escape', () => {
  it.each(BEFORE)('EXE-14 %j is masked, the escape stays', (before) => {
    expect(new Redactor(new SecretBook()).text(`said ${before}${KEY} here`)).toBe(`said ${before}[secret:api-key:1] here`);
  });

  it('EXE-14 also where a stream is cut anywhere', () => {
    for (const before of BEFORE) {
      const text = `said ${before}${KEY} here`;
      for (let cut = 0; cut <= text.length; cut++) {
        const filter = new RedactingChunkFilter(new Redactor(new SecretBook()));
        // The first letters of the prefix say nothing yet.
        expect(filter.push(text.slice(0, cut)) + filter.push(text.slice(cut)) + filter.flush(), `${before} ${cut}`).toMatch(/^said .{2,8}?(?:s|sk)?\[secret:api-key:1\] here$/);
      }
    }
  });

  it('a path and a word with a backslash stay', () => {
    for (const text of ['C:\\new\\tokens\\read.txt', 'a\\nbc', '\\u00zz', 'ends with \\', '\\token: words here', '\\npassword is a word']) {
      expect(new Redactor(new SecretBook()).text(text)).toBe(text);
    }
  });

  it('many backslashes take bounded time', () => {
    const started = performance.now();
    new Redactor(new SecretBook()).text('\\'.repeat(400_000));
    new Redactor(new SecretBook()).text('\\n'.repeat(200_000));
    new Redactor(new SecretBook()).text('\\napi_key'.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
