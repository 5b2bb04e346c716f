import { describe, expect, it } from 'vitest';
import { ToolCallAssembler } from '@core/provider/openai/ToolCallAssembler';

type Fragment = Record<string, unknown>;

function fragment(index: unknown, id: unknown, name: unknown, args: unknown): Fragment {
  const made: Fragment = { function: { name, arguments: args } };
  if (index !== undefined) made.index = index;
  if (id !== undefined) made.id = id;
  return made;
}

function assemble(lists: Fragment[][]): string[] {
  let next = 0;
  const assembler = new ToolCallAssembler({ nextId: () => `g${++next}` });
  for (const list of lists) assembler.addList(JSON.parse(JSON.stringify(list)));
  return assembler.finish().map((call) => `${call.index} ${call.id} ${call.name} ${call.argumentsJson}`);
}

/** One line per rule of the state machine: the `tool_calls` lists as they come, the calls they make. */
const TABLE: [string, Fragment[][], string[]][] = [
  ['one call, arguments in pieces', [[fragment(0, 'a', 'f', '')], [fragment(0, undefined, undefined, '{"x"')], [fragment(0, undefined, undefined, ':1}')]], ['0 a f {"x":1}']],
  ['two calls by index', [[fragment(0, 'a', 'f', '{}')], [fragment(1, 'b', 'g', '{}')]], ['0 a f {}', '1 b g {}']],
  ['interleaved, by index', [[fragment(2, 'c', 'g', '{"x":')], [fragment(0, 'a', 'f', '{"y":')], [fragment(2, undefined, undefined, '1}')], [fragment(0, undefined, undefined, '2}')]],
    ['0 a f {"y":2}', '1 c g {"x":1}']],
  ['index from one', [[fragment(1, 'a', 'f', '')], [fragment(1, undefined, undefined, '{}')]], ['0 a f {}']],
  ['index as text', [[fragment('0', 'a', 'f', '{')], [fragment('0', undefined, undefined, '}')]], ['0 a f {}']],
  ['an empty id continues', [[fragment(0, 'a', 'f', '')], [fragment(0, '', '', '{}')]], ['0 a f {}']],
  ['a repeated id continues', [[fragment(0, 'a', 'f', '{')], [fragment(0, 'a', 'f', '}')]], ['0 a f {}']],
  ['an id that changes without a name: the first stands', [[fragment(0, 'a', 'f', '{"x":')], [fragment(0, 'b', undefined, '1')], [fragment(0, 'c', undefined, '}')]], ['0 a f {"x":1}']],
  ['an id that changes with the name, arguments open', [[fragment(0, 'a', 'f', '{"x":')], [fragment(0, 'b', 'f', '1}')]], ['0 a f {"x":1}']],
  ['index 0 on every parallel call', [[fragment(0, 'a', 'f', '{"c":1}')], [fragment(0, 'b', 'f', '{"c":2}')], [fragment(0, 'c', 'f', '{"c":3}')]],
    ['0 a f {"c":1}', '1 b f {"c":2}', '2 c f {"c":3}']],
  ['index 0 on every call, arguments in pieces', [[fragment(0, 'a', 'f', '{"c":')], [fragment(0, undefined, undefined, '1}')], [fragment(0, 'b', 'f', '')], [fragment(0, undefined, undefined, '{"c":2}')]],
    ['0 a f {"c":1}', '1 b f {"c":2}']],
  ['index 0 on every call, other name, no id', [[fragment(0, undefined, 'f', '{"c":1}')], [fragment(0, undefined, 'g', '{"c":2}')]], ['0 call_g1 f {"c":1}', '1 call_g2 g {"c":2}']],
  ['an id that comes late', [[fragment(0, undefined, 'f', '{')], [fragment(0, 'a', undefined, '}')]], ['0 a f {}']],
  ['no index, in pieces', [[fragment(undefined, 'a', 'f', '')], [fragment(undefined, undefined, undefined, '{"n":')], [fragment(undefined, undefined, undefined, '16}')]], ['0 a f {"n":16}']],
  ['no index, several in one list', [[fragment(undefined, 'a', 'f', '{}'), fragment(undefined, 'b', 'f', '{}'), fragment(undefined, 'c', 'g', '{}')]], ['0 a f {}', '1 b f {}', '2 c g {}']],
  ['no index, no id, several in one list', [[fragment(undefined, undefined, 'f', '{}'), fragment(undefined, undefined, 'f', '{}')]], ['0 call_g1 f {}', '1 call_g2 f {}']],
  ['no index, no id, one list after the other', [[fragment(undefined, undefined, 'f', '{}')], [fragment(undefined, undefined, 'f', '{}')]], ['0 call_g1 f {}', '1 call_g2 f {}']],
  ['no index, no id, the name again on every piece', [[fragment(undefined, undefined, 'f', '{"x":')], [fragment(undefined, undefined, 'f', '1}')]], ['0 call_g1 f {"x":1}']],
  ['no index, a known id', [[fragment(undefined, 'a', 'f', '{')], [fragment(undefined, 'b', 'g', '{')], [fragment(undefined, 'a', undefined, '}')], [fragment(undefined, 'b', undefined, '}')]], ['0 a f {}', '1 b g {}']],
  ['no index, the same id for two whole calls', [[fragment(undefined, 'a', 'f', '{"q":1}')], [fragment(undefined, 'a', 'f', '{"q":2}')]], ['0 a f {"q":1}', '1 a#2 f {"q":2}']],
  ['no index, id and name again on an empty last piece', [[fragment(undefined, 'a', 'f', '{}')], [fragment(undefined, 'a', 'f', '')]], ['0 a f {}']],
  ['no index, pieces in the same places', [[fragment(undefined, 'a', 'f', '{'), fragment(undefined, 'b', 'g', '{')], [fragment(undefined, undefined, undefined, '}'), fragment(undefined, undefined, undefined, '}')]], ['0 a f {}', '1 b g {}']],
  ['one id for two indexes', [[fragment(0, 'a', 'f', '{"q":1}')], [fragment(1, 'a', 'f', '{"q":2}')], [fragment(2, 'a', 'f', '{"q":3}')]], ['0 a f {"q":1}', '1 a#2 f {"q":2}', '2 a#3 f {"q":3}']],
  ['an id that looks like a made one', [[fragment(0, 'a#2', 'f', '')], [fragment(1, 'a', 'f', '')], [fragment(2, 'a', 'f', '')]], ['0 a#2 f ', '1 a f ', '2 a#3 f ']],
  ['a number as id', [[fragment(0, 7, 'f', '{}')]], ['0 7 f {}']],
  ['no id at all', [[fragment(0, undefined, 'f', '{}')]], ['0 call_g1 f {}']],
  ['the name in pieces', [[fragment(0, 'a', 'edit_ex', '')], [fragment(0, undefined, 'isting_file', '{}')]], ['0 a edit_existing_file {}']],
  ['the name again and again', [[fragment(0, 'a', 'f', '')], [fragment(0, undefined, 'f', '{')], [fragment(0, undefined, 'f', '}')]], ['0 a f {}']],
  ['the name growing', [[fragment(0, 'a', 'read', '')], [fragment(0, undefined, 'read_file', '{}')]], ['0 a read_file {}']],
  ['arguments null, then text', [[fragment(0, 'a', 'f', null)], [fragment(0, undefined, undefined, '{}')]], ['0 a f {}']],
  ['arguments as an object', [[fragment(0, 'a', 'f', { x: 1 })]], ['0 a f {"x":1}']],
  ['"{}" first is not thrown away', [[fragment(0, 'a', 'f', '{}')], [fragment(0, undefined, undefined, '{"x":1}')]], ['0 a f {}{"x":1}']],
  ['the arguments twice are not repaired', [[fragment(0, 'a', 'f', '{"x":1}')], [fragment(0, undefined, undefined, '{"x":1}')]], ['0 a f {"x":1}{"x":1}']],
  ['an empty fragment makes no call', [[{ index: 0 }], [{ index: 1, id: 'b', function: { name: 'g' } }]], ['0 b g ']],
  ['entries that are no objects', [[null as unknown as Fragment, 5 as unknown as Fragment, fragment(0, 'a', 'f', '{}')]], ['0 a f {}']],
];

describe('ToolCallAssembler', () => {
  for (const [name, lists, calls] of TABLE) {
    it(`S8 ${name}`, () => expect(assemble(lists)).toEqual(calls));
  }

  it('S8 takes the older function_call', () => {
    const assembler = new ToolCallAssembler({ nextId: () => '1' });
    assembler.addFunctionCall({ name: 'f', arguments: '{"x"' });
    assembler.addFunctionCall({ arguments: ':1}' });
    expect(assembler.finish().map((call) => [call.id, call.name, call.argumentsJson])).toEqual([['call_1', 'f', '{"x":1}']]);
  });

  it('keeps what a call carries beside name and arguments, by position', () => {
    const assembler = new ToolCallAssembler({ nextId: () => '1' });
    expect(assembler.extras()).toBeUndefined();
    assembler.addList([{ index: 0, id: 'a', function: { name: 'f' } } as object]);
    assembler.addList([{ index: 1, id: 'b', function: { name: 'g' }, extra_content: { google: { thought_signature: 's' } } } as object]);
    const list = assembler.extras()?.asArray();
    expect(list?.[0].asObject()?.size).toBe(0);
    expect(list?.[1].asObject()?.getObject('extra_content')?.getObject('google')?.getString('thought_signature')).toBe('s');
  });
});
