import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ContentPart } from '../../message/ContentPart';
import { ToolDefinition, ToolRiskLevel } from '../../model/ToolDefinition';
import { ArtifactPiece, ArtifactStore } from '../../port/ArtifactStore';
import { ToolContext } from '../../tool/ToolContext';
import { ToolContract } from '../../tool/ToolContract';
import { BaseToolExecutor } from '../../tool/ToolExecutor';
import { ToolResult } from '../../tool/ToolResult';
import { cutAtCodePoint } from '../filter/ResultFilter';

const DEFAULT_CHARS: number = 8000;
const MAX_CHARS: number = 12000;

/** Reads the full text of a result that was too large for the conversation, piece by piece; only texts of its own session. */
export class ReadArtifactTool extends BaseToolExecutor {
  static readonly NAME: string = 'read_artifact';
  private readonly store: ArtifactStore;

  constructor(store: ArtifactStore) {
    super();
    this.store = store;
  }

  static definition(): ToolDefinition {
    const properties: JsonObject = new JsonObject()
      .setObject('id', property('string', 'The artifact id from a result that was cut.'))
      .setObject('offset', property('integer', 'First character to read, from 0; default 0.'))
      .setObject('limit', property('integer', `Characters to read, 1 to ${MAX_CHARS}; default ${DEFAULT_CHARS}.`));
    const schema: JsonObject = new JsonObject().setString('type', 'object').setObject('properties', properties)
      .setArray('required', [JsonValue.string('id')]);
    return new ToolDefinition(ReadArtifactTool.NAME,
      'Reads a piece of a large tool result that was cut in the conversation.', schema, ToolRiskLevel.safe);
  }

  static contract(): ToolContract {
    const contract: ToolContract = { idempotent: true, concurrencySafe: true };
    return contract;
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const id: string = args.getString('id') ?? '';
    const offset: number = Math.max(0, args.getNumber('offset') ?? 0);
    const limit: number = Math.min(MAX_CHARS, Math.max(2, args.getNumber('limit') ?? DEFAULT_CHARS));
    const read: Result<ArtifactPiece, ArkAgentError> = await this.store.read(context.sessionId, id, offset, limit);
    if (!read.ok) {
      return ToolResult.error(`${read.error.code}: ${read.error.message}`);
    }
    const total: number = read.value.total;
    const text: string = endsWithin(read.value.text, offset + read.value.text.length < total);
    const end: number = offset + text.length;
    const more: string = end < total ? `; next offset ${end}` : '; end';
    return new ToolResult([ContentPart.text(`[artifact: characters ${offset} to ${end} of ${total}${more}]`), ContentPart.text(text)]);
  }
}

/** Without half a surrogate pair at the end, when more follows. */
function endsWithin(text: string, more: boolean): string {
  return more ? cutAtCodePoint(`${text}.`, text.length) : text;
}

function property(type: string, description: string): JsonObject {
  return new JsonObject().setString('type', type).setString('description', description);
}
