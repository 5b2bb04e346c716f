import { createHash } from 'node:crypto';
import type { JsonObject } from '@core/json/JsonObject';
import { ToolDefinition, ToolRiskLevel } from '@core/model/ToolDefinition';
import type { Digest } from '@core/port/Digest';
import type { ToolContext } from '@core/tool/ToolContext';
import { BaseToolExecutor } from '@core/tool/ToolExecutor';
import { ToolResult } from '@core/tool/ToolResult';
import { json } from '../schema/support';

export class NoteExecutor extends BaseToolExecutor {
  async execute(_args: JsonObject, _context: ToolContext): Promise<ToolResult> {
    return ToolResult.text('noted');
  }
}

export class NodeDigest implements Digest {
  calls = 0;

  sha256Hex(text: string): string {
    this.calls++;
    return createHash('sha256').update(text, 'utf8').digest('hex');
  }
}

export const NOTE_PARAMETERS = { type: 'object', properties: { text: { type: 'string', description: 'What to note' } }, required: ['text'] };

export function definition(name: string, parameters: object = NOTE_PARAMETERS, risk: ToolRiskLevel = ToolRiskLevel.safe): ToolDefinition {
  return new ToolDefinition(name, `does ${name}`, json(parameters), risk);
}
