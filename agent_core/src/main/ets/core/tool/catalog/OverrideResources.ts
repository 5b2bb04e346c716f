import { JsonObject } from '../../json/JsonObject';
import { ToolResources } from '../ToolContract';

/**
 * The resources of a tool that overrides others: its own and those that the others would name for the same arguments. So an
 * override that names less than what it replaces is not asked about less.
 *
 * @internal
 */
export class OverrideResources implements ToolResources {
  private readonly all: ReadonlyArray<ToolResources>;

  constructor(all: ReadonlyArray<ToolResources>) {
    this.all = all;
  }

  paths(args: JsonObject): ReadonlyArray<string> {
    const named: Set<string> = new Set<string>();
    for (const one of this.all) {
      for (const path of one.paths(args)) {
        named.add(path);
      }
    }
    return Array.from(named);
  }

  hosts(args: JsonObject): ReadonlyArray<string> {
    const named: Set<string> = new Set<string>();
    for (const one of this.all) {
      for (const host of one.hosts(args)) {
        named.add(host);
      }
    }
    return Array.from(named);
  }
}
