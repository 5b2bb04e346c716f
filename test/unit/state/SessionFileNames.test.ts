import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionFileNames } from '@core/state/file/SessionFileNames';
import { NodeDigest } from '../../../host/src/ports/NodeDigest';

const digest = new NodeDigest();
const encode = (id: string): string => SessionFileNames.encode(id, digest);
const id = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }), fc.string({ minLength: 1, maxLength: 100, unit: 'binary' }));

describe('SessionFileNames', () => {
  it('keeps a plain id readable', () => {
    expect(SessionFileNames.of('/d', 'baking-1', digest).snapshot).toBe('/d/baking-1.json');
    expect(encode('A.b/..')).toBe('%41%2eb%2f%2e%2e');
    expect(encode('烘🥖é')).toBe('%e7%83%98%f0%9f%a5%96%c3%a9');
    expect(encode('con')).toBe('%63on');
  });

  it('is a short name of harmless characters for any id', () => {
    fc.assert(fc.property(id, (value) => {
      expect(encode(value)).toMatch(/^[a-z0-9_%~-]{1,100}$/);
    }));
  });

  it('tells two ids apart even where case does not count', () => {
    fc.assert(fc.property(id, id, (left, right) => {
      fc.pre(left !== right);
      expect(encode(left).toLowerCase()).not.toBe(encode(right).toLowerCase());
    }));
    expect(encode('x'.repeat(200))).not.toBe(encode('x'.repeat(199)));
  });

  it('reads back what was not cut', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), (value) => {
      const stem = encode(value);
      expect(SessionFileNames.decode(stem)).toBe(stem.includes('~') ? undefined : value);
    }));
    expect(SessionFileNames.decode('%zz')).toBeUndefined();
  });

  it('recognizes the logs of its own session only', () => {
    const names = SessionFileNames.of('/d', 's', digest);
    expect(names.logRevision('s.17.log')).toBe(17);
    for (const other of ['s.json', 's.corrupt.log', 'st.17.log', 's.17.log.tmp', 's..log']) expect(names.logRevision(other)).toBeUndefined();
  });
});
