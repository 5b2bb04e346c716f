import { Result } from '../../base/Result';
import { AuditRecord, AuditSink, AuditStep } from '../../port/AuditSink';
import { Clock } from '../../port/Clock';
import { Digest } from '../../port/Digest';
import { FileError, FileSystem } from '../../port/FileSystem';
import { IdGenerator } from '../../port/IdGenerator';
import { AuditChain, AuditHead } from './AuditChain';
import { AuditDeciders } from './CallAudit';
import { AuditFile, AuditOpening, OpenedChain } from './AuditFile';

/** What a sink needs from its host. */
export interface AuditSinkPorts {
  files: FileSystem;
  digest: Digest;
  ids: IdGenerator;
  clock: Clock;
}

export interface JsonlAuditOptions {
  /** Every write waits for the medium; default false: the last records may be lost with the power. */
  durable?: boolean;
  /** Records that wait while nothing can be written; above it the newest are dropped and counted. Default 10,000. */
  maxPending?: number;
}

/** Records that may be missing at the end of a file without anybody noticing, after a kill in mid-segment. */
const MAX_HEAD_LAG: number = 64;

/**
 * Audit records as lines of a file, hash-chained. Handing over costs a push; hashing and writing happen together for
 * all records since the last commit.
 *
 * One sink for one file at a time; several sessions of a process may share it. What cannot be written stays in memory and is
 * tried again with the next flush; what has to be dropped is a record of its own, so that the chain tells of the gap.
 */
export class JsonlAuditSink implements AuditSink {
  private readonly file: AuditFile;
  private readonly clock: Clock;
  private readonly durable: boolean;
  private readonly maxPending: number;
  private pending: AuditRecord[] = [];
  private chain: AuditChain | undefined = undefined;
  private lastOpening: AuditOpening | undefined = undefined;
  private writing: Promise<void> | undefined = undefined;
  private lost: number = 0;
  private lostEver: number = 0;
  private faults: number = 0;
  /** Records since the end of the chain was noted. */
  private headLag: number = 0;

  /** @param path in a directory that exists */
  constructor(ports: AuditSinkPorts, path: string, options?: JsonlAuditOptions) {
    this.file = new AuditFile(ports.files, ports.digest, ports.ids, path);
    this.clock = ports.clock;
    this.durable = options?.durable ?? false;
    this.maxPending = options?.maxPending ?? 10000;
  }

  record(entry: AuditRecord): void {
    if (this.pending.length >= this.maxPending) {
      this.lost++;
      this.lostEver++;
      return;
    }
    this.pending.push(entry);
  }

  /**
   * Resolves when everything that was recorded before is written, or could not be.
   * @param ending notes the end of the chain too; otherwise that happens every 64 records
   */
  flush(ending: boolean = true): Promise<void> {
    if (this.writing !== undefined) {
      return this.writing.then((): Promise<void> => this.flush(ending));
    }
    const nothing: boolean = this.pending.length === 0 && this.lost === 0;
    if (nothing && !(ending && this.headLag > 0)) {
      return Promise.resolve();
    }
    this.writing = (nothing ? Promise.resolve() : this.write()).then((): Promise<void> => this.noteHead(ending)).then((): void => {
      this.writing = undefined;
    });
    return this.writing;
  }

  /** Failed file operations. */
  get faultCount(): number {
    return this.faults;
  }

  /** Records that were dropped. */
  get lostCount(): number {
    return this.lostEver;
  }

  /** The end of the chain as written; kept elsewhere, it shows that the end of the file was cut off. */
  get head(): AuditHead | undefined {
    return this.chain?.head;
  }

  /** What was found when the file was taken up last; undefined before the first write. */
  get opening(): AuditOpening | undefined {
    return this.lastOpening;
  }

  private async write(): Promise<void> {
    const chain: AuditChain | undefined = this.chain ?? await this.open();
    if (chain === undefined) {
      return;
    }
    const batch: AuditRecord[] = this.pending;
    const dropped: number = this.lost;
    this.pending = [];
    this.lost = 0;
    let text: string = '';
    for (const entry of batch) {
      text += chain.seal(entry);
    }
    if (dropped > 0) {
      text += chain.seal(this.note('records_dropped', `${dropped}`));
    }
    const written: Result<boolean, FileError> = await this.file.append(text, this.durable);
    if (!written.ok) {
      // A part may have arrived: the file is looked at again before the next write.
      this.faults++;
      this.chain = undefined;
      this.pending = batch.concat(this.pending);
      this.lost += dropped;
      return;
    }
    this.chain = chain;
    this.headLag += batch.length + (dropped > 0 ? 1 : 0);
  }

  private async noteHead(ending: boolean): Promise<void> {
    if (this.chain === undefined || this.headLag === 0 || (!ending && this.headLag < MAX_HEAD_LAG)) {
      return;
    }
    this.headLag = 0;
    if (!(await this.file.noteHead(this.chain.head)).ok) {
      this.faults++;
    }
  }

  private async open(): Promise<AuditChain | undefined> {
    const opened: Result<OpenedChain, FileError> = await this.file.open();
    if (!opened.ok) {
      this.faults++;
      return undefined;
    }
    this.lastOpening = opened.value.opening;
    if (this.lastOpening === AuditOpening.tornTailDropped || this.lastOpening === AuditOpening.brokenSetAside) {
      this.pending.unshift(this.note(this.lastOpening, ''));
    }
    return opened.value.chain;
  }

  private note(decision: string, code: string): AuditRecord {
    const entry: AuditRecord = {
      sessionId: '', runId: '', batchId: '', callId: '', position: -1, tool: '', step: AuditStep.chain,
      decider: AuditDeciders.RUNTIME, decision: decision, code: code, timeMs: this.clock.nowMs()
    };
    return entry;
  }
}
