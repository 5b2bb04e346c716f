import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@core/json/JsonObject';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import { PipelineToken } from '@core/tool/PipelineToken';
import type { RegisteredTool } from '@core/tool/RegisteredTool';
import { ToolContract, ToolEffect } from '@core/tool/ToolContract';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { UnknownArgumentPolicy } from '@core/tool/UnknownArgumentPolicy';
import { json } from '../schema/support';
import { definition, NodeDigest, NoteExecutor, NOTE_PARAMETERS } from './support';

function registered(tool: ToolDefinition, contract?: ToolContract): RegisteredTool {
  const registry = new ToolRegistry();
  expect(registry.register(tool, new NoteExecutor(), contract).ok).toBe(true);
  return registry.resolve(tool.name, new PipelineToken('test')) as RegisteredTool;
}

function hash(parameters: object, risk = ToolRiskLevel.sensitive, contract?: ToolContract, name = 'note', description = 'd'): string {
  return registered(new ToolDefinition(name, description, json(parameters), risk), contract).definitionHash(new NodeDigest());
}

describe('RegisteredTool.validate', () => {
  const tool = registered(definition('note'));
  const args: JsonObject = json({ text: 'hello', extra: 1 });

  it('EXE-06 allow, reject and strip as configured', () => {
    expect(tool.validate(args, UnknownArgumentPolicy.allow).value).toBe(args);
    const error = tool.validate(args, UnknownArgumentPolicy.reject).error;
    expect([error.code, error.message]).toEqual(['tool_argument_unknown', 'Unknown argument: extra']);
    expect(tool.validate(args, UnknownArgumentPolicy.strip).value.keys()).toEqual(['text']);
    expect(args.keys()).toEqual(['text', 'extra']);
  });

  it.each(Object.values(UnknownArgumentPolicy))('EXE-03 EXE-04 wrong arguments fail under the policy %s', (policy) => {
    expect(tool.validate(json({ text: 5 }), policy).error.code).toBe('tool_argument_type_mismatch');
    const error = tool.validate(json({}), policy).error;
    expect([error.code, error.message, error.details?.get('issues')])
      .toEqual(['tool_argument_required', 'Missing required argument: text', ['Missing required argument: text']]);
  });
});

describe('RegisteredTool.definitionHash', () => {
  it('is sha256 over the canonical name, parameters without annotations, risk and effect', () => {
    const identity = '{"effect":"reversible","name":"note","parameters":{"properties":{"text":{"type":"string"}},"required":["text"],"type":"object"},"risk":"sensitive"}';
    expect(hash(NOTE_PARAMETERS)).toBe(`v1:sha256:${new NodeDigest().sha256Hex(identity)}`);
  });

  it('does not change with descriptions, key order, the rest of the contract or a reload', () => {
    const plain = hash(NOTE_PARAMETERS);
    const translated = { required: ['text'], properties: { text: { description: '内容', type: 'string' } }, description: '参数', type: 'object' };
    expect(hash(translated, ToolRiskLevel.sensitive, { timeoutMs: 5, title: '记', effect: ToolEffect.reversible }, 'note', '记录')).toBe(plain);
  });

  it('changes with name, risk, effect and any demand on the arguments', () => {
    const all = [
      hash(NOTE_PARAMETERS),
      hash(NOTE_PARAMETERS, ToolRiskLevel.sensitive, undefined, 'other'),
      hash(NOTE_PARAMETERS, ToolRiskLevel.dangerous, { effect: ToolEffect.reversible }),
      hash(NOTE_PARAMETERS, ToolRiskLevel.sensitive, { effect: ToolEffect.irreversible }),
      hash({ type: 'object', properties: { text: { type: 'string' } } }),
      hash({ type: 'object', properties: { text: { type: 'integer' } }, required: ['text'] }),
      hash({ type: 'object', properties: { text: { type: 'string' }, description: { type: 'string' } }, required: ['text'] }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('is made once and kept', () => {
    const digest = new NodeDigest();
    const tool = registered(definition('note'));
    expect(tool.definitionHash(digest)).toBe(tool.definitionHash(digest));
    expect(digest.calls).toBe(1);
  });

  it('works for the deepest schema that registers', () => {
    let schema: object = { type: 'string' };
    for (let i = 1; i < 64; i++) schema = { type: 'object', properties: { a: schema } };
    expect(hash(schema)).toMatch(/^v1:sha256:[0-9a-f]{64}$/);
  });

  it('leaves the description in the definition that a model sees', () => {
    const tool = registered(definition('note'));
    tool.definitionHash(new NodeDigest());
    expect(tool.definition.parameters.getObject('properties')?.getObject('text')?.getString('description')).toBe('What to note');
  });
});
