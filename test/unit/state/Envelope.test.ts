import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Envelope } from '@core/state/file/Envelope';
import { Utf8Length } from '@core/state/file/Utf8Length';
import { NodeDigest } from '../../../host/src/ports/NodeDigest';

const envelope = Envelope.forState(new NodeDigest());

describe('Envelope', () => {
  it('has the members of the contract, over the exact bytes of the content', () => {
    const content = '{"a":"烘🥖"}';
    const checksum = createHash('sha256').update(content).digest('hex');
    expect(envelope.wrap(content)).toBe(
      `{"format":"arkagent-state","schemaVersion":2,"length":${Buffer.byteLength(content)},"checksum":"sha256:${checksum}","state":${content}}`);
  });

  it('opens what it wrote and knows its size', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const content = JSON.stringify(value);
      const text = envelope.wrap(content);
      expect(envelope.open(text)).toEqual({ schemaVersion: 2, content, intact: true, bytes: Buffer.byteLength(text) });
    }));
  });

  it('notices any other content', () => {
    const text = envelope.wrap('{"revision":7}');
    expect(envelope.open(text.replace('7', '8'))?.intact).toBe(false);
    expect(envelope.open(text + ' ')?.intact).toBe(false);
    expect(envelope.open(text.slice(0, -1))?.intact).toBe(false);
    expect(envelope.open('{"schemaVersion":1}')).toBeUndefined();
    expect(Envelope.forDelta(new NodeDigest()).open(text)).toBeUndefined();
  });

  it('has a head that differs with the content and fits the bytes that are read of it', () => {
    expect(Envelope.headOf(envelope.wrap('{}'))).not.toBe(Envelope.headOf(envelope.wrap('[]')));
    expect(Envelope.headOf(envelope.wrap('1'.repeat(1000)))).toMatch(/sha256:[0-9a-f]{64}",$/);
  });
});

describe('Utf8Length', () => {
  it('counts as an encoder does', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udc00x', 'a\ud83e')), (text) => {
      expect(Utf8Length.of(text)).toBe(Buffer.byteLength(text));
    }));
  });
});
