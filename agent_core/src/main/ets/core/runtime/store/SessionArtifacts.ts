import { ArtifactToolSelector } from '../../execution/artifact/ArtifactToolSelector';
import { ReadArtifactTool } from '../../execution/artifact/ReadArtifactTool';
import { ResultSizer, ResultSizerParts } from '../../execution/artifact/ResultSizer';
import { JsonObject } from '../../json/JsonObject';
import { ArtifactStore } from '../../port/ArtifactStore';
import { Logger } from '../../port/Logger';
import { SliceAccess } from '../../state/SliceAccess';
import { StateSlice } from '../../state/StateSlice';
import { ToolRegistry } from '../../tool/ToolRegistry';
import { ToolSelector } from '../../tool/ToolSelector';

/** `{count}`: how many texts were kept; there from the first one on. */
const SLICE: string = 'artifacts';
const COUNT: string = 'count';

/** Large results of a session: where they go, and the tool that reads them. */
export class SessionArtifacts {
  readonly sizer: ResultSizer;
  /** Undefined when nothing is ever kept. */
  readonly selector: ToolSelector | undefined;
  private readonly slices: SliceAccess;

  constructor(store: ArtifactStore | undefined, registry: ToolRegistry, logger: Logger, slices: SliceAccess) {
    this.slices = slices;
    const parts: ResultSizerParts = { store: store, logger: logger, onKept: (): void => this.count() };
    this.sizer = new ResultSizer(parts);
    this.selector = store === undefined ? undefined :
      new ArtifactToolSelector((): boolean => slices.getSlice(SLICE) !== undefined);
    if (store !== undefined && registry.get(ReadArtifactTool.NAME) === undefined) {
      registry.register(ReadArtifactTool.definition(), new ReadArtifactTool(store), ReadArtifactTool.contract());
    }
  }

  private count(): void {
    const known: number = this.slices.getSlice(SLICE)?.json.getNumber(COUNT) ?? 0;
    this.slices.putSlice(SLICE, new StateSlice(1, new JsonObject().setNumber(COUNT, known + 1)));
  }
}
