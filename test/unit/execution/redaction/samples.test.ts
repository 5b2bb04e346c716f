import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RedactingChunkFilter } from '@core/execution/redaction/RedactingChunkFilter';
import { Redactor } from '@core/execution/redaction/Redactor';
import type { RedactionOptions } from '@core/execution/redaction/RedactionOptions';
import { SecretBook } from '@core/execution/redaction/SecretBook';

interface Sample {
  id: string;
  kind: string;
  text: string;
  mustNotSurvive: string[];
  mustSurvive: string[];
  deltas?: string[];
}

const FILE = resolve(import.meta.dirname, '../../../../../shared/data/redaction/samples.json');
const present = existsSync(FILE);
const samples: Sample[] = present ? JSON.parse(readFileSync(FILE, 'utf8')) as Sample[] : [];

function redactor(options: RedactionOptions = {}): Redactor {
  return new Redactor(new SecretBook(), options);
}

/** Every stretch of 12 characters of the secrets, or the whole of a shorter one. */
function pieces(sample: Sample): string[] {
  return sample.mustNotSurvive.flatMap((secret) => secret.length <= 12 ? [secret] :
    Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12)));
}

function leaks(sample: Sample, out: string): string[] {
  return [...pieces(sample).filter((piece) => out.includes(piece)).map((piece) => `${sample.id} leaks ${piece}: ${out}`),
    ...sample.mustSurvive.filter((kept) => !out.includes(kept)).map((kept) => `${sample.id} lost ${kept}: ${out}`)];
}

function streamed(text: string, cuts: number[], options: RedactionOptions = {}): string {
  const filter = new RedactingChunkFilter(redactor(options));
  let out = '';
  let last = 0;
  for (const cut of [...cuts, text.length]) {
    out += filter.push(text.slice(last, cut));
    last = cut;
  }
  return out + filter.flush();
}

describe('the shared samples', () => {
  const personal = samples.filter((sample) => sample.kind === 'personal');
  const usual = samples.filter((sample) => sample.kind !== 'personal');

  it.skipIf(!present)('EXE-14 no secret survives, what is none stays (needs ../shared/data)', () => {
    expect(samples.length).toBeGreaterThan(100);
    expect(usual.flatMap((sample) => leaks(sample, redactor().text(sample.text)))).toEqual([]);
    for (const sample of samples.filter((one) => one.kind === 'near-miss')) {
      expect(redactor().text(sample.text), sample.id).toBe(sample.text);
      expect(redactor({ personal: true }).text(sample.text), sample.id).toBe(sample.text);
    }
  });

  it.skipIf(!present)('EXE-14 personal data is masked only where the app wants it (needs ../shared/data)', () => {
    for (const sample of personal) {
      expect(redactor().text(sample.text), sample.id).toBe(sample.text);
    }
    expect(personal.flatMap((sample) => leaks(sample, redactor({ personal: true }).text(sample.text)))).toEqual([]);
  });

  it.skipIf(!present)('EXE-14 redacting twice is redacting once (needs ../shared/data)', () => {
    for (const sample of samples) {
      const one = redactor({ personal: true });
      const once = one.text(sample.text);
      expect(one.text(once), sample.id).toBe(once);
      expect(redactor({ personal: true }).text(once), sample.id).toBe(once);
    }
  });

  it.skipIf(!present)('EXE-14 a secret in two pieces of a stream is masked, wherever the cut is (needs ../shared/data)', () => {
    const problems: string[] = [];
    for (const sample of usual) {
      for (let cut = 0; cut <= sample.text.length; cut++) {
        problems.push(...leaks(sample, streamed(sample.text, [cut])));
      }
      problems.push(...leaks(sample, streamed(sample.text, Array.from({ length: sample.text.length }, (_, at) => at))));
    }
    expect(problems.slice(0, 5)).toEqual([]);
  });

  it.skipIf(!present)('EXE-14 in arguments and json parts nothing survives either (needs ../shared/data)', () => {
    const problems = usual.flatMap((sample) => {
      const text = redactor().argumentsJson(JSON.stringify({ note: sample.text, list: [{ deep: sample.text }] }));
      const parsed = JSON.parse(text) as { note: string; list: Array<{ deep: string }> };
      return [...leaks(sample, parsed.note), ...leaks(sample, parsed.list[0].deep)];
    });
    expect(problems.slice(0, 5)).toEqual([]);
  });
});
