import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonPrescan } from '@core/json/JsonPrescan';

const scan = new JsonPrescan();

describe('JsonPrescan', () => {
  it.each([['1', 0], ['[]', 1], ['{"a":[{}],"b":[]}', 3], ['["]]]",[["{{{{"]]]', 3], ['{"\\"{":"\\\\"}', 1], ['["\\\\",[1]]', 2]])(
    '%s is %i levels deep', (text, depth) => {
      expect(scan.scan(text, 10)).toBe(true);
      expect(scan.depth).toBe(depth);
    });

  it.each([['{"1":0}', true], ['{"a":{"12" \n:0}}', true], ['{"\\u0031":0}', true], ['{"1a":0,"a1":0,"-1":0,"1.0":0}', false],
    ['["1","22"]', false], ['{"a":"1"}', false], ['{"a":"x\\"1\\":2"}', false]])('%s has integer-like keys: %s', (text, found) => {
    expect(scan.scan(text, 10)).toBe(!found);
    expect(scan.integerKeys).toBe(found);
  });

  it.each([['[1e400]', true], [`[${'9'.repeat(309)}]`, true], ['[1e308,1e-999]', false], ['["1e999"]', false], ['[true,false,1.5e3]', false],
    [`[1,2,-${'9'.repeat(400)}]`, true], ['[0.5,1.5e400]', true]])('%.30s overflows: %s', (text, found) => {
    expect(scan.scan(text, 10)).toBe(!found);
    expect(scan.overflow).toBe(found);
  });

  it('finds the first unsafe number wherever it stands', () => {
    const safe = fc.oneof(fc.integer().map(String), fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(String), fc.constant('"x"'), fc.constant('[1,2]'));
    fc.assert(fc.property(fc.array(safe), fc.array(safe), fc.constantFrom('9007199254740992', '-9007199254740993', '1e16', '12345678901234567.5'),
      fc.constantFrom(',', ' , ', ',\n'), (before, after, unsafe, comma) => {
        scan.scan(`[${[...before, '0', ...after].join(comma)}]`, 10);
        expect(scan.unsafeOffset).toBe(-1);
        const text = `[${[...before, unsafe, ...after].join(comma)}]`;
        scan.scan(text, 10);
        expect(scan.unsafeOffset).toBe(1 + [...before, ''].join(comma).length);
      }), { numRuns: 300 });
  });

  it('stops at the first level above the limit', () => {
    expect(scan.scan('['.repeat(1_000_000), 5)).toBe(false);
    expect(scan.depth).toBe(6);
  });

  it.each(['"', '"\\', '"a\\"', '"\\\\\\', '{"1', '1e', '-', '"1"', '\\"'])('ends on the torn text %j', (text) => {
    scan.scan(text, 10);
    expect(scan.depth).toBeLessThanOrEqual(1);
  });
});
