import { ArtifactRef } from '../../port/ArtifactStore';

const NAME: RegExp = new RegExp('^a([0-9]{6,12})\\.([0-9]{1,12})\\.([0-9a-f]{64})\\.txt$');
const ID: RegExp = new RegExp('^a([0-9]{1,12})-([0-9a-f]{8})$');
const ORDER_DIGITS: number = 6;
const ID_DIGITS: number = 8;

/** An artifact as a file name: `a<order>.<chars>.<sha256>.txt`; the file holds the text and nothing else. */
export class ArtifactFile {
  readonly name: string;
  /** Rises with each put of the session. */
  readonly order: number;
  readonly ref: ArtifactRef;

  private constructor(name: string, order: number, ref: ArtifactRef) {
    this.name = name;
    this.order = order;
    this.ref = ref;
  }

  static of(order: number, chars: number, sha256: string): ArtifactFile {
    const ref: ArtifactRef = { id: `a${order}-${sha256.substring(0, ID_DIGITS)}`, chars: chars, sha256: sha256 };
    return new ArtifactFile(`a${`${order}`.padStart(ORDER_DIGITS, '0')}.${chars}.${sha256}.txt`, order, ref);
  }

  /** Undefined for a name that is no artifact's. */
  static parse(name: string): ArtifactFile | undefined {
    const found: RegExpExecArray | null = NAME.exec(name);
    return found === null ? undefined : ArtifactFile.of(Number(found[1]), Number(found[2]), found[3]);
  }

  /** In the order in which they were put. */
  static list(names: ReadonlyArray<string>): ReadonlyArray<ArtifactFile> {
    const files: ArtifactFile[] = [];
    for (const name of names) {
      const file: ArtifactFile | undefined = ArtifactFile.parse(name);
      if (file !== undefined) {
        files.push(file);
      }
    }
    return files.sort((a: ArtifactFile, b: ArtifactFile) => a.order - b.order);
  }

  /** An id that a model wrote: anything may be in it, and it never becomes a part of a path. */
  static isId(id: string): boolean {
    return ID.test(id);
  }
}
