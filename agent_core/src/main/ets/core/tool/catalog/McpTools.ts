import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '../../model/ToolDefinition';
import { ToolContract, ToolEffect } from '../ToolContract';
import { ForeignText } from './ForeignText';
import { McpNames } from './McpNames';
import { McpServerRules, McpToolListing } from './McpToolListing';
import { SourceIntake } from './SourceIntake';
import { SourcePrecedence } from './SourcePrecedence';

const MAX_TITLE_CHARS: number = 80;

/** Makes tools of what an MCP server lists, trusting nothing of it. @internal */
export class McpTools {
  static readonly DEFAULT_MAX_TOOLS: number = 500;
  static readonly DEFAULT_DESCRIPTION_CHARS: number = 2000;
  static readonly DEFAULT_SCHEMA_CHARS: number = 100000;
  private readonly names: McpNames;
  private readonly rules: McpServerRules;
  private readonly descriptionChars: number;
  private readonly schemaChars: number;

  constructor(names: McpNames, rules: McpServerRules) {
    this.names = names;
    this.rules = rules;
    this.descriptionChars = rules.maxDescriptionChars ?? McpTools.DEFAULT_DESCRIPTION_CHARS;
    this.schemaChars = rules.maxSchemaChars ?? McpTools.DEFAULT_SCHEMA_CHARS;
  }

  /** In the order of the names, whatever order the server lists them in; of two with one name the first one listed is taken. */
  takeAll(listing: ReadonlyArray<McpToolListing>, intake: SourceIntake): void {
    const ordered: McpToolListing[] = listing.slice();
    ordered.sort((a: McpToolListing, b: McpToolListing) => SourcePrecedence.compareText(`${a.name}`, `${b.name}`));
    for (const one of ordered) {
      this.takeOne(one, intake);
    }
  }

  private takeOne(one: McpToolListing, intake: SourceIntake): void {
    const problem: ArkAgentError | undefined = this.problemOf(one);
    if (problem !== undefined) {
      const shown: string = typeof one.name === 'string' ? one.name : '';
      intake.refuse(shown, shown, problem);
      return;
    }
    const risk: ToolRiskLevel = this.riskOf(one);
    const description: string = ForeignText.block(typeof one.description === 'string' ? one.description : '', this.descriptionChars);
    const definition: ToolDefinition = new ToolDefinition(this.names.of(one.name), description, one.inputSchema, risk);
    intake.take(definition, one.executor, this.contractOf(one, risk), one.name);
  }

  private problemOf(one: McpToolListing): ArkAgentError | undefined {
    if (typeof one.name !== 'string' || one.name.trim() === '') {
      return ArkAgentError.of(ErrorCode.toolNameEmpty, 'the server lists a tool without a name');
    }
    if (!(one.inputSchema instanceof JsonObject)) {
      return ArkAgentError.of(ErrorCode.schemaRootNotObject, 'the server lists a tool without a schema');
    }
    const codec: JsonCodec = new JsonCodec();
    const text: Result<string, ArkAgentError> = codec.stringify(JsonValue.object(one.inputSchema));
    if (!text.ok) {
      return text.error;
    }
    return text.value.length <= this.schemaChars ? undefined : ArkAgentError.of(ErrorCode.jsonTooLarge,
      `the schema has ${text.value.length} characters, at most ${this.schemaChars} are accepted`);
  }

  private riskOf(one: McpToolListing): ToolRiskLevel {
    const said: ToolRiskLevel | undefined = this.rules.risks?.get(one.name);
    if (said !== undefined) {
      return said;
    }
    if (hint(one, 'destructiveHint')) {
      return ToolRiskLevel.dangerous;
    }
    return this.rules.trustReadOnlyHint === true && hint(one, 'readOnlyHint') ? ToolRiskLevel.safe : ToolRiskLevel.sensitive;
  }

  /** The app's word, with a title that a person can tell from the app's own tools: never the one that the server suggests. */
  private contractOf(one: McpToolListing, risk: ToolRiskLevel): ToolContract {
    const said: ToolContract = this.rules.contract ?? {};
    const unfit: ToolRiskLevel = said.effect === ToolEffect.none ? ToolRiskLevel.dangerous : ToolRiskLevel.safe;
    const contract: ToolContract = {
      timeoutMs: said.timeoutMs, effect: risk === unfit ? undefined : said.effect, idempotent: said.idempotent, cancellation: said.cancellation,
      concurrencySafe: said.concurrencySafe, background: said.background, maxResultChars: said.maxResultChars,
      resources: said.resources, pollable: said.pollable, probe: said.probe, describer: said.describer,
      title: said.title ?? ForeignText.line(this.names.of(one.name), MAX_TITLE_CHARS)
    };
    return contract;
  }
}

function hint(one: McpToolListing, name: string): boolean {
  return one.annotations instanceof JsonObject && one.annotations.getBoolean(name) === true;
}
