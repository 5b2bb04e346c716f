import { ArkAgentError } from '../base/ArkAgentError';
import { Result } from '../base/Result';
import { JsonObject } from '../json/JsonObject';
import { JsonValue } from '../json/JsonValue';
import { ToolDefinition, ToolRiskLevel } from '../model/ToolDefinition';
import { ToolContext } from '../tool/ToolContext';
import { ToolContract, ToolEffect } from '../tool/ToolContract';
import { BaseToolExecutor } from '../tool/ToolExecutor';
import { ToolRegistry } from '../tool/ToolRegistry';
import { ToolResult } from '../tool/ToolResult';
import { SelectableTool } from '../tool/ToolSelector';
import { ToolGroup } from '../tool/selector/ToolGroup';
import { GroupBook } from './GroupBook';

/** Which tools a group has now; what the session's registry held when the model was asked last. */
export interface GroupContents {
  of(group: ToolGroup): ReadonlyArray<SelectableTool>;
}

const FIRST_LINE_CHARS: number = 120;

/** list_tool_groups: the groups with what they are good for. */
export class ListToolGroups extends BaseToolExecutor {
  static readonly NAME: string = 'list_tool_groups';
  private readonly groups: ReadonlyArray<ToolGroup>;
  private readonly book: GroupBook;
  private readonly contents: GroupContents;

  constructor(groups: ReadonlyArray<ToolGroup>, book: GroupBook, contents: GroupContents) {
    super();
    this.groups = groups;
    this.book = book;
    this.contents = contents;
  }

  static register(registry: ToolRegistry, tool: ListToolGroups): Result<boolean, ArkAgentError> {
    const parameters: JsonObject = new JsonObject().setString('type', 'object');
    const definition: ToolDefinition = new ToolDefinition(ListToolGroups.NAME,
      'Lists the groups of further tools. Open one with open_tool_group when its tools are needed.', parameters, ToolRiskLevel.safe);
    return registry.register(definition, tool, harmless());
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    if (this.book.sessionId !== context.sessionId) {
      return foreignSession();
    }
    const lines: string[] = this.groups.map<string>((group: ToolGroup) => {
      const state: string = this.book.open().has(group.name) ? 'open' : 'closed';
      return `${group.name} (${state}, tools: ${this.contents.of(group).length}): ${group.description}`;
    });
    return ToolResult.text(lines.length === 0 ? 'There are no groups.' : lines.join('\n'));
  }
}

/** open_tool_group: its tools can be called from the next turn on. */
export class OpenToolGroup extends BaseToolExecutor {
  static readonly NAME: string = 'open_tool_group';
  private readonly groups: ReadonlyArray<ToolGroup>;
  private readonly book: GroupBook;
  private readonly contents: GroupContents;

  constructor(groups: ReadonlyArray<ToolGroup>, book: GroupBook, contents: GroupContents) {
    super();
    this.groups = groups;
    this.book = book;
    this.contents = contents;
  }

  static register(registry: ToolRegistry, tool: OpenToolGroup, groups: ReadonlyArray<ToolGroup>): Result<boolean, ArkAgentError> {
    const names: string = groups.map<string>((group: ToolGroup) => group.name).join(', ');
    const group: JsonObject = new JsonObject().setString('type', 'string').setString('description', `one of: ${names}`);
    const parameters: JsonObject = new JsonObject().setString('type', 'object')
      .setObject('properties', new JsonObject().setObject('group', group)).set('required', JsonValue.strings(['group']));
    const definition: ToolDefinition = new ToolDefinition(OpenToolGroup.NAME,
      `Makes the tools of a group available from the next turn on. Groups: ${names}`, parameters, ToolRiskLevel.safe);
    return registry.register(definition, tool, harmless());
  }

  async execute(args: JsonObject, context: ToolContext): Promise<ToolResult> {
    if (this.book.sessionId !== context.sessionId) {
      return foreignSession();
    }
    if (this.book.foreign) {
      return ToolResult.error('the groups were written by a newer version of the app and cannot be changed here');
    }
    const name: string = args.getString('group') ?? '';
    const group: ToolGroup | undefined = this.groups.find((one: ToolGroup) => one.name === name);
    if (group === undefined) {
      return ToolResult.error(`no such group; there are: ${this.groups.map<string>((one: ToolGroup) => one.name).join(', ')}`);
    }
    const opened: string = this.book.add(name) ? 'opened' : 'open already';
    const lines: string[] = this.contents.of(group).map<string>((tool: SelectableTool) =>
      `- ${tool.definition.name}: ${firstLine(tool.definition.description)}`);
    return ToolResult.text([`${name}: ${opened}. From the next turn on:`].concat(lines.length === 0 ? ['(no tools)'] : lines).join('\n'));
  }
}

function firstLine(text: string): string {
  const line: string = text.split('\n')[0];
  return line.length <= FIRST_LINE_CHARS ? line : `${line.substring(0, FIRST_LINE_CHARS)}…`;
}

function foreignSession(): ToolResult {
  return ToolResult.error('this session has no groups');
}

function harmless(): ToolContract {
  const contract: ToolContract = { effect: ToolEffect.none, idempotent: true };
  return contract;
}
