import { describe, expect, it } from 'vitest';
import { ControllerEventTypes } from '@core/control/ControllerEventTypes';
import { EventBus, type ListenerFault } from '@core/control/EventBus';
import { NoteEvent } from './support';

describe('EventBus', () => {
  it('reaches the listeners of the type and those of all, in order', () => {
    const bus = new EventBus();
    const heard: string[] = [];
    bus.subscribeAll((event) => heard.push(`all ${event.eventType()}`));
    bus.subscribe('note', () => heard.push('1'));
    bus.subscribe('note', () => heard.push('2'));
    bus.subscribe('other', () => heard.push('never'));
    bus.subscribe('*', () => heard.push('star'));
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['1', '2', 'all note', 'star']);
  });

  it('CTL-03 a listener that throws or rejects stops nobody and is reported', async () => {
    const faults: ListenerFault[] = [];
    const bus = new EventBus((fault) => { faults.push(fault); throw new Error('the reporter fails too'); });
    const heard: string[] = [];
    bus.subscribe('note', () => { throw new Error('sync'); });
    bus.subscribe('note', async () => { throw new Error('async'); });
    bus.subscribe('note', () => heard.push('note'));
    bus.subscribeAll(() => { throw 'no error'; });
    bus.subscribeAll(() => heard.push('all'));
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['note', 'all']);
    await Promise.resolve();
    await Promise.resolve();
    expect(faults.map((fault) => [fault.eventType, fault.error.code, fault.error.cause?.message])).toEqual([
      ['note', 'internal_error', 'sync'], ['note', 'internal_error', undefined], ['note', 'internal_error', 'async'],
    ]);
    bus.publish(new NoteEvent());
    expect(heard).toHaveLength(4);
  });

  it('CTL-03 without a fault handler nothing leaks out either', async () => {
    const bus = new EventBus();
    bus.subscribe('note', () => { throw new Error('sync'); });
    bus.subscribe('note', async () => { throw new Error('async'); });
    bus.publish(new NoteEvent());
    await Promise.resolve();
  });

  it('CTL-04 request: one handler, duplicate refused, throw reaches the requester, default, missing', async () => {
    const bus = new EventBus();
    const remove = bus.registerRequestHandler<string, number>('length', (text) => text.length);
    expect(await bus.request<string, number>('length', 'four')).toBe(4);
    expect(() => bus.registerRequestHandler<string, number>('length', () => 0)).toThrow(expect.objectContaining({ code: 'request_handler_duplicate', layer: 'config' }));
    const thrown = new Error('mine');
    bus.registerRequestHandler<string, number>('sync', () => { throw thrown; });
    bus.registerRequestHandler<string, number>('async', async () => { throw thrown; });
    bus.registerRequestHandler<string, number>('empty', async () => undefined);
    await expect(bus.request('sync', '')).rejects.toBe(thrown);
    await expect(bus.request('async', '', 1)).rejects.toBe(thrown);
    expect(await bus.request('empty', '', 1)).toBeUndefined();
    expect(await bus.request('nobody', '', 1)).toBe(1);
    await expect(bus.request('nobody', '')).rejects.toMatchObject({ code: 'request_handler_missing', layer: 'config' });
    remove();
    const second = bus.registerRequestHandler<string, number>('length', () => 99);
    remove();
    expect(await bus.request('length', '')).toBe(99);
    second();
    expect(await bus.request('length', '', 0)).toBe(0);
  });

  it('CTL-05 unsubscribe and subscribe while publishing are safe', () => {
    const bus = new EventBus();
    const heard: string[] = [];
    const offs: Array<() => void> = [];
    offs.push(bus.subscribe('note', () => {
      heard.push('first');
      offs[0]!();
      offs[1]!();
      bus.subscribe('note', () => heard.push('late'));
      bus.subscribeAll(() => heard.push('late all'));
    }));
    offs.push(bus.subscribe('note', () => heard.push('removed')));
    bus.subscribe('note', () => heard.push('last'));
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['first', 'last']);
    heard.length = 0;
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['last', 'late', 'late all']);
  });

  it('CTL-05 a listener that publishes is heard inside, and one that always subscribes does not go on for ever', () => {
    const bus = new EventBus();
    const heard: string[] = [];
    bus.subscribe('note', (event) => {
      if ((event as NoteEvent).note === '') bus.publish(new NoteEvent('inner'));
      bus.subscribe('note', () => undefined);
    });
    bus.subscribe('note', (event) => heard.push((event as NoteEvent).note));
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['inner', '']);
  });

  it('CTL-05 unsubscribe twice and after close is harmless; a closed bus does nothing', async () => {
    const bus = new EventBus();
    const heard: string[] = [];
    const off = bus.subscribe('note', () => { heard.push('a'); bus.close(); });
    bus.subscribe('note', () => heard.push('b'));
    bus.registerRequestHandler<string, number>('k', () => 1);
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['a']);
    off();
    off();
    bus.subscribe('note', () => heard.push('c'))();
    bus.registerRequestHandler<string, number>('k', () => 2)();
    bus.publish(new NoteEvent());
    bus.close();
    expect([heard, bus.closed, bus.hasSubscribers('note')]).toEqual([['a'], true, false]);
    await expect(bus.request('k', '')).rejects.toMatchObject({ code: 'request_handler_missing' });
    const other = new EventBus();
    const one = other.subscribe('note', () => heard.push('x'));
    other.subscribe('note', () => heard.push('y'));
    one();
    one();
    other.publish(new NoteEvent());
    expect(heard).toEqual(['a', 'y']);
  });

  it('CTL-05 nothing leaks after 10^5 subscriptions, one by one or all at once', () => {
    const bus = new EventBus();
    for (let i = 0; i < 100_000; i++) bus.subscribe(`type ${i}`, () => undefined)();
    const offs = Array.from({ length: 100_000 }, () => bus.subscribe('note', () => undefined));
    expect(bus.hasSubscribers('note')).toBe(true);
    for (const off of offs) off();
    expect(bus.hasSubscribers('note')).toBe(false);
    expect((bus as unknown as { byType: Map<string, unknown> }).byType.size).toBe(0);
  });

  it('hasSubscribers tells whether an event need be built', () => {
    const bus = new EventBus();
    expect(bus.hasSubscribers('note')).toBe(false);
    const off = bus.subscribe('note', () => undefined);
    expect([bus.hasSubscribers('note'), bus.hasSubscribers('other')]).toEqual([true, false]);
    off();
    bus.subscribe(ControllerEventTypes.all, () => undefined);
    expect(bus.hasSubscribers('other')).toBe(true);
  });
});
