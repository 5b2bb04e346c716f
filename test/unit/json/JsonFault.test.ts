import { describe, expect, it } from 'vitest';
import { ErrorLayer } from '@core/base/ErrorCodes';
import { JsonFault } from '@core/json/JsonFault';

describe('JsonFault', () => {
  it.each([
    [JsonFault.syntax('expected :', 7), 'json_syntax', [['offset', 7]]], [JsonFault.numberRange(3), 'json_number_range', [['offset', 3]]],
    [JsonFault.numberUnsafe(0), 'json_number_unsafe', [['offset', 0]]], [JsonFault.tooDeep(4, 9), 'json_too_deep', [['maxDepth', 4], ['offset', 9]]],
    [JsonFault.tooDeep(4), 'json_too_deep', [['maxDepth', 4]]], [JsonFault.tooLarge(20, 10), 'json_too_large', [['chars', 20], ['maxChars', 10]]],
    [JsonFault.notFinite(), 'json_number_range', []], [JsonFault.loneSurrogate(), 'json_syntax', []],
  ])('%s is a decode error that names its facts', (fault, code, details) => {
    expect(fault.code).toBe(code);
    expect(fault.layer).toBe(ErrorLayer.decode);
    expect(Array.from(fault.details?.entries() ?? [])).toEqual(details);
  });
});
