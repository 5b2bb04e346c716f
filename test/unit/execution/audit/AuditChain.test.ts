import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditChain, AuditOpeningLine, type AuditHead } from '@core/execution/audit/AuditChain';
import { AuditExport } from '@core/execution/audit/AuditExport';
import { AUDIT_FIELDS, AuditField } from '@core/execution/audit/AuditFields';
import { AuditVerifier } from '@core/execution/audit/AuditVerifier';
import { CallStory } from '@core/execution/audit/CallStory';
import type { AuditRecord } from '@core/port/AuditSink';
import { NodeDigest } from '../../../../host/src/ports/NodeDigest';
import { entry } from './support';

const digest = new NodeDigest();
const SALT = 'f'.repeat(64);

interface Written {
  lines: string[];
  head: AuditHead;
}

function write(records: readonly AuditRecord[], salt = SALT): Written {
  const opening = AuditOpeningLine.of(digest, salt);
  const chain = new AuditChain(digest, salt, { seq: 0, hash: opening.hash(digest) });
  return { lines: [opening.write(digest), ...records.map((one) => chain.seal(one).trimEnd())], head: chain.head };
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const check = (lines: readonly string[], head?: AuditHead) => AuditVerifier.check(digest, text(lines), head);
const FIVE = (): Written => write([0, 1, 2, 3, 4].map((n) => entry({ timeMs: 1000 + n, decision: `d${n}` })));

function exported(lines: readonly string[], fields: readonly AuditField[]): string[] {
  const out = AuditExport.without(digest, fields);
  const verifier = new AuditVerifier(digest);
  return lines.map((line, at) => {
    const parsed = verifier.add(line);
    return at === 0 ? out.begin(line)! : out.line(parsed!);
  });
}

describe('AuditChain', () => {
  it('an untouched chain holds, with and without a known end', () => {
    const { lines, head } = FIVE();
    expect(check(lines)).toMatchObject({ records: 5, firstBreak: undefined, torn: false, redacted: false, hiddenFields: 0, head });
    expect(check(lines, head).firstBreak).toBeUndefined();
    expect(check(lines, { seq: 3, hash: JSON.parse(lines[3]!).hash }).firstBreak).toBeUndefined();
  });

  it('EXE-18 a removed record is detected and the first one behind the gap is named', () => {
    for (let gone = 1; gone <= 4; gone++) {
      const { lines } = FIVE();
      lines.splice(gone, 1);
      expect(check(lines).firstBreak).toEqual({ kind: 'removed', line: gone + 1, seq: gone + 1 });
      expect(check(lines).records).toBe(gone - 1);
    }
  });

  it('EXE-18 an edit of any member of any record is detected and named', () => {
    const { lines } = FIVE();
    for (let at = 1; at <= 5; at++) {
      const members = JSON.parse(lines[at]!) as Record<string, unknown>;
      for (const name of Object.keys(members)) {
        const changed = { ...members, [name]: typeof members[name] === 'number' ? (members[name] as number) + 1 : `${String(members[name])}x` };
        const edited = [...lines];
        edited[at] = JSON.stringify(changed);
        expect(check(edited).firstBreak, `${name} of ${at}`).toMatchObject({ kind: 'edited', line: at + 1 });
      }
      const spelled = [...lines];
      spelled[at] = lines[at]!.replace('{', '{ ');
      expect(check(spelled).firstBreak).toMatchObject({ kind: 'unreadable', line: at + 1, seq: at });
      spelled[at] = lines[at]!.replace('{', '{"note":"put in",');
      expect(check(spelled).firstBreak).toMatchObject({ kind: 'unreadable', line: at + 1 });
    }
  });

  it('EXE-18 swapped, repeated and inserted records are detected', () => {
    const { lines } = FIVE();
    const swapped = [...lines];
    [swapped[2], swapped[3]] = [swapped[3]!, swapped[2]!];
    expect(check(swapped).firstBreak).toEqual({ kind: 'removed', line: 3, seq: 3 });
    const repeated = [...lines];
    repeated.splice(3, 0, lines[2]!);
    expect(check(repeated).firstBreak).toEqual({ kind: 'misplaced', line: 4, seq: 2 });
    const foreign = write([entry(), entry({ decision: 'forged' }), entry()]).lines;
    const inserted = [...lines];
    inserted.splice(2, 0, foreign[2]!);
    expect(check(inserted).firstBreak).toEqual({ kind: 'misplaced', line: 3, seq: 2 });
  });

  it('EXE-18 a cut end is detected by a known end, and so is a chain that was made anew', () => {
    const { lines, head } = FIVE();
    for (let kept = 1; kept <= 5; kept++) {
      expect(check(lines.slice(0, kept)).firstBreak).toBeUndefined();
      expect(check(lines.slice(0, kept), head).firstBreak).toEqual({ kind: 'truncated', line: kept + 1, seq: kept });
    }
    expect(check([], head).firstBreak).toMatchObject({ kind: 'no_opening' });
    const anew = write([0, 1, 2, 3, 4].map(() => entry()));
    expect(check(anew.lines).firstBreak).toBeUndefined();
    expect(check(anew.lines, head).firstBreak).toEqual({ kind: 'replaced', line: 6, seq: 5 });
  });

  it('EXE-18 the first line is bound too', () => {
    const { lines } = FIVE();
    expect(check(lines.slice(1)).firstBreak).toEqual({ kind: 'no_opening', line: 1, seq: 0 });
    const other = write([], 'e'.repeat(64)).lines[0]!;
    expect(check([other, ...lines.slice(1)]).firstBreak).toMatchObject({ line: 2 });
    expect(check([lines[0]!.replace('ffff', 'fffe'), ...lines.slice(1)]).firstBreak).toMatchObject({ kind: 'no_opening' });
  });

  it('a torn last line is reported and breaks nothing', () => {
    const { lines, head } = FIVE();
    const whole = text(lines);
    for (let kept = whole.length - lines[5]!.length; kept < whole.length; kept++) {
      const verdict = AuditVerifier.check(digest, whole.slice(0, kept));
      expect(verdict).toMatchObject({ torn: true, records: 4, firstBreak: undefined });
      expect(AuditVerifier.check(digest, whole.slice(0, kept), head).firstBreak).toMatchObject({ kind: 'truncated', seq: 5 });
    }
  });

  it('EXE-18 any single change of any character is detected', () => {
    const { lines, head } = FIVE();
    const whole = text(lines);
    fc.assert(fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, unit) => {
      const changed = whole.slice(0, at) + String.fromCharCode(unit) + whole.slice(at + 1);
      return changed === whole || AuditVerifier.check(digest, changed, head).firstBreak !== undefined;
    }), { numRuns: 300 });
  });

  it('any strings are written in ASCII and read back as they were', () => {
    const chars = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(fc.property(chars, chars, chars, (callId, tool, decider) => {
      const { lines, head } = write([entry({ callId, tool, decider })]);
      expect(lines[1]).toMatch(/^[\x20-\x7e]+$/);
      const verifier = new AuditVerifier(digest, head);
      verifier.add(lines[0]!);
      expect(CallStory.recordOf(verifier.add(lines[1]!)!)).toEqual(entry({ callId, tool, decider }));
      expect(verifier.end().firstBreak).toBeUndefined();
    }), { numRuns: 100 });
  });
});

describe('AuditExport', () => {
  const RECORDS = [entry({ callId: 'secret-call', decider: 'anna' }), entry({ callId: 'other', decider: 'ben' }), entry({ callId: 'secret-call', decider: 'anna' })];

  it('details that are taken out are gone, and the chain still holds against the same end', () => {
    for (let mask = 0; mask < 64; mask++) {
      const fields = AUDIT_FIELDS.filter((_field, at) => (mask >> at & 1) === 1);
      const { lines, head } = write(RECORDS);
      const out = exported(lines, fields);
      expect(check(out, head)).toMatchObject({ firstBreak: undefined, records: 3, redacted: true, hiddenFields: fields.length * 3 });
      expect(text(out)).not.toContain(SALT);
      expect(text(out).includes('secret-call')).toBe(!fields.includes(AuditField.call));
      expect(text(out).includes('anna')).toBe(!fields.includes(AuditField.decider));
    }
  });

  it('what is left cannot be changed, and a detail cannot be swapped for another', () => {
    const { lines } = write(RECORDS);
    const out = exported(lines, [AuditField.decider]);
    for (const [from, to] of [['"v":"other"', '"v":"third"'], ['"decision":"ok"', '"decision":"no"'], ['"c":"', '"c":"0'], ['"n":"', '"n":"0']] as const) {
      const forged = [...out];
      forged[2] = out[2]!.replace(from, to);
      expect(check(forged).firstBreak).toMatchObject({ kind: 'edited', line: 3 });
    }
    const plain = [...out];
    plain[2] = out[2]!.replace(/"call":\{[^}]*\}/, '"call":"other"');
    expect(check(plain).firstBreak).toMatchObject({ line: 3 });
  });

  it('a part of a value cannot be moved into what opens it', () => {
    const { lines } = write([entry({ callId: 'a\ncall\nb' })]);
    const out = exported(lines, []);
    const nonce = (JSON.parse(out[1]!) as { call: { n: string } }).call.n;
    const forged = [out[0]!, out[1]!.replace(/"call":\{[^}]*\}/, `"call":{"v":"b","n":"${nonce}\\ncall\\na"}`)];
    expect(check(forged).firstBreak).toBeDefined();
  });

  it('the records of one call are still one call where its id is taken out', () => {
    const { lines } = write(RECORDS);
    const verifier = new AuditVerifier(digest);
    const records = exported(lines, [AuditField.call]).flatMap((line) => verifier.add(line) ?? []).map((line) => CallStory.recordOf(line));
    expect(CallStory.all(records).map((story) => story.steps.length)).toEqual([2, 1]);
  });

  it('a detail that somebody took out of an original is counted', () => {
    const { lines, head } = write([entry({ decider: 'anna' })]);
    const hidden = exported(lines, [AuditField.decider])[1]!.replace(/.*"decider":(\{[^}]*\}).*/, '$1');
    const tampered = [lines[0]!, lines[1]!.replace('"decider":"anna"', `"decider":${hidden}`)];
    expect(check(tampered, head)).toMatchObject({ hiddenFields: 1, redacted: false, firstBreak: undefined });
  });
});
