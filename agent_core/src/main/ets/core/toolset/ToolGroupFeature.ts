import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';
import { Result } from '../base/Result';
import { BaseAgentFeature, FeatureSession } from '../control/AgentFeature';
import { ToolRegistry } from '../tool/ToolRegistry';
import { SelectableTool, ToolSelection, ToolSelector } from '../tool/ToolSelector';
import { GroupSelector } from '../tool/selector/GroupSelector';
import { ToolGroup, ToolGroupInit } from '../tool/selector/ToolGroup';
import { GroupBook } from './GroupBook';
import { GroupContents, ListToolGroups, OpenToolGroup } from './GroupTools';

/** How a session groups its tools. */
export interface ToolGroupOptions {
  groups: ReadonlyArray<ToolGroupInit>;
  /** Open from the start. */
  open?: ReadonlyArray<string>;
}

/**
 * Shows a model the groups of tools first and the tools of a group when it asks for them. What is open is part of the session's
 * state. Opening a group makes tools visible and nothing more: every call still meets every gate and every question, and other
 * selectors hide what they hide. One instance per session.
 *
 * Use: `register` into the session's registry, then name the feature in `AgentConfig.features`.
 */
export class ToolGroupFeature extends BaseAgentFeature {
  private readonly groups: ReadonlyArray<ToolGroup>;
  private readonly book: GroupBook;
  private readonly watching: WatchingSelector;

  constructor(options: ToolGroupOptions) {
    super('tool_groups');
    this.groups = options.groups.map<ToolGroup>((init: ToolGroupInit) => new ToolGroup(init));
    this.book = new GroupBook(options.open ?? []);
    this.watching = new WatchingSelector(new GroupSelector(this.groups, this.book, [ListToolGroups.NAME, OpenToolGroup.NAME]));
  }

  /**
   * Adds list_tool_groups and open_tool_group, or neither.
   *
   * Errors: config_invalid for names of groups that are unusable or not unique, those of `ToolRegistry.register`.
   */
  register(registry: ToolRegistry): Result<boolean, ArkAgentError> {
    const problems: string[] = this.problems();
    if (problems.length > 0) {
      return Result.failure<boolean, ArkAgentError>(
        ArkAgentError.of(ErrorCode.configInvalid, problems.join('; ')).withDetail('problems', problems));
    }
    const list: ListToolGroups = new ListToolGroups(this.groups, this.book, this.watching);
    const listed: Result<boolean, ArkAgentError> = ListToolGroups.register(registry, list);
    if (!listed.ok) {
      return listed;
    }
    const opener: OpenToolGroup = new OpenToolGroup(this.groups, this.book, this.watching);
    const added: Result<boolean, ArkAgentError> = OpenToolGroup.register(registry, opener, this.groups);
    if (!added.ok) {
      registry.unregister(ListToolGroups.NAME);
    }
    return added;
  }

  /** The groups that are open now, sorted. */
  openGroups(): ReadonlyArray<string> {
    const names: string[] = Array.from(this.book.open());
    names.sort();
    return names;
  }

  override selector(): ToolSelector | undefined {
    return this.watching;
  }

  override install(session: FeatureSession): void {
    this.book.attach(session);
  }

  private problems(): string[] {
    const problems: string[] = [];
    const names: Set<string> = new Set<string>();
    for (const group of this.groups) {
      if (!group.nameUsable) {
        problems.push('a group needs a name of 1 to 64 letters, digits, _, - or .');
      } else if (names.has(group.name)) {
        problems.push(`two groups are called ${group.name}`);
      }
      names.add(group.name);
    }
    return problems;
  }
}

/** Remembers what there was to select from, for the tools that tell of it. */
class WatchingSelector implements ToolSelector, GroupContents {
  private readonly inner: GroupSelector;
  private seen: ReadonlyArray<SelectableTool> = [];

  constructor(inner: GroupSelector) {
    this.inner = inner;
  }

  select(tools: ReadonlyArray<SelectableTool>): ToolSelection {
    this.seen = tools;
    return this.inner.select(tools);
  }

  of(group: ToolGroup): ReadonlyArray<SelectableTool> {
    return this.seen.filter((tool: SelectableTool) => group.holds(tool));
  }
}
