import { describe, expect, it } from 'vitest';
import { SchemaValidator } from '@core/schema/SchemaValidator';
import { json } from './support';

const SCHEMA = json({ type: 'object', properties: { recordId: { type: 'string' }, n: { type: 'integer' } }, required: ['recordId'] });

describe('SchemaValidator', () => {
  it('says whether a schema would register', () => {
    expect(SchemaValidator.validateSchema(SCHEMA).value).toBe(true);
    expect(SchemaValidator.validateSchema(json({ type: 'array' })).error.code).toBe('schema_root_not_object');
  });

  it('EXE-03 EXE-04 gives the first issue and lists all of them', () => {
    expect(SchemaValidator.validate(SCHEMA, json({ recordId: 'r', n: 1 })).value).toBe(true);
    const error = SchemaValidator.validate(SCHEMA, json({ n: 1.5 })).error;
    expect([error.code, error.message]).toEqual(['tool_argument_required', 'Missing required argument: recordId']);
    expect(error.details?.get('issues')).toEqual(['Missing required argument: recordId', '$.n must be integer']);
    expect(SchemaValidator.validate(SCHEMA, json({ recordId: 1 })).error.message).toBe('$.recordId must be string');
  });

  it('refuses to validate against a bad schema', () => {
    expect(SchemaValidator.validate(json({}), json({})).error.code).toBe('schema_type_missing');
  });
});
