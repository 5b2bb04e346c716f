import { ErrorCode } from '../../base/ErrorCodes';
import { SealedTool } from '../SealedTool';
import { ToolResources } from '../ToolContract';
import { ToolSource, ToolSourceKind } from '../ToolSource';
import { CatalogEntry, CatalogStatus } from './CatalogEntry';
import { OverrideResources } from './OverrideResources';
import { SourcePrecedence } from './SourcePrecedence';
import { SourceTool, SourceTools } from './SourceTools';

/** A name with the tools that want it, the winner first. */
class Contest {
  readonly source: ToolSource;
  readonly tool: SourceTool;
  readonly losers: SealedTool[] = [];

  constructor(source: ToolSource, tool: SourceTool) {
    this.source = source;
    this.tool = tool;
  }
}

/** Which tools of several sources are active; depends on what the sources hold and on nothing else. @internal */
export class CatalogResolution {
  /** In the order of precedence. */
  readonly tools: ReadonlyArray<SealedTool>;
  readonly entries: ReadonlyArray<CatalogEntry>;

  private constructor(tools: ReadonlyArray<SealedTool>, entries: ReadonlyArray<CatalogEntry>) {
    this.tools = tools;
    this.entries = entries;
  }

  /**
   * @param direct names that were registered in the effective registry itself: they win over every source
   * @param room how many tools of sources there may be; those of lowest precedence are left out
   */
  static of(sources: ReadonlyArray<SourceTools>, direct: ReadonlyArray<string>, room: number): CatalogResolution {
    const ordered: SourceTools[] = sources.slice();
    ordered.sort((a: SourceTools, b: SourceTools) => SourcePrecedence.compare(a.source, b.source));
    const taken: Set<string> = new Set<string>(direct);
    const contests: Map<string, Contest> = new Map<string, Contest>();
    const shadowed: CatalogEntry[] = [];
    const refused: CatalogEntry[] = [];
    for (const one of ordered) {
      const over: CatalogEntry[] = [];
      for (const candidate of one.usable) {
        const name: string = candidate.tool.definition.name;
        const winner: Contest | undefined = contests.get(name);
        if (taken.has(name)) {
          shadowed.push(shadow(one.source, candidate, ToolSource.builtin().toString(), 'registered by the app itself'));
        } else if (winner !== undefined) {
          winner.losers.push(candidate.tool);
          const by: string = winner.source.toString();
          shadowed.push(shadow(one.source, candidate, by, `${by} has precedence over ${one.source.toString()}`));
        } else if (contests.size < room) {
          contests.set(name, new Contest(one.source, candidate));
        } else {
          over.push(overflow(one.source, candidate));
        }
      }
      refused.push(...sorted(one.refused.concat(over)));
    }
    const winners: Contest[] = Array.from(contests.values());
    const own: CatalogEntry[] = direct.map<CatalogEntry>((name: string) =>
      new CatalogEntry({ name: name, source: ToolSource.builtin(), status: CatalogStatus.active }));
    return new CatalogResolution(winners.map<SealedTool>(sealedOf),
      own.concat(winners.map<CatalogEntry>(active), shadowed, refused));
  }
}

function active(contest: Contest): CatalogEntry {
  return new CatalogEntry({
    name: contest.tool.tool.definition.name, originalName: contest.tool.originalName, source: contest.source, status: CatalogStatus.active
  });
}

function shadow(source: ToolSource, loser: SourceTool, by: string, reason: string): CatalogEntry {
  return new CatalogEntry({
    name: loser.tool.definition.name, originalName: loser.originalName, source: source, status: CatalogStatus.shadowed, by: by,
    reason: reason
  });
}

function overflow(source: ToolSource, candidate: SourceTool): CatalogEntry {
  return new CatalogEntry({
    name: candidate.tool.definition.name, originalName: candidate.originalName, source: source, status: CatalogStatus.refused,
    code: ErrorCode.configInvalid, reason: 'the registry is full'
  });
}

function sorted(entries: ReadonlyArray<CatalogEntry>): CatalogEntry[] {
  const all: CatalogEntry[] = entries.slice();
  all.sort((a: CatalogEntry, b: CatalogEntry) => {
    const byName: number = SourcePrecedence.compareText(a.originalName, b.originalName);
    return byName !== 0 ? byName : SourcePrecedence.compareText(a.code + a.reason, b.code + b.reason);
  });
  return all;
}

/** The app's own tools are no overrides: what others bring under the same name changes nothing for them. */
function sealedOf(contest: Contest): SealedTool {
  if (contest.losers.length === 0 || contest.source.kind === ToolSourceKind.builtin) {
    return contest.tool.tool;
  }
  const named: ToolResources[] = [];
  for (const loser of contest.losers) {
    if (loser.resources !== undefined) {
      named.push(loser.resources);
    }
  }
  if (named.length === 0) {
    return contest.tool.tool;
  }
  const own: ToolResources | undefined = contest.tool.tool.resources;
  return contest.tool.tool.withResources(new OverrideResources(own === undefined ? named : [own].concat(named)));
}
