import { ApprovalGrant, GrantRules } from '../../approval/ApprovalGrant';
import { ApprovalDeciders } from '../../approval/ApprovalModes';
import { ConsentMemory } from '../../approval/ConsentMemory';
import { PREDECESSOR_UNKNOWN } from '../../execution/prepare/CallPreparer';
import { PreparedCall } from '../../execution/prepare/PreparedCall';
import { JsonObject } from '../../json/JsonObject';
import { ToolCall } from '../../message/ToolCall';
import { IdGenerator } from '../../port/IdGenerator';
import { CallStatus, OpenCall } from '../../state/OpenCall';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { BatchWork } from '../ledger/BatchWork';
import { CallLedger } from '../ledger/CallLedger';
import { EffectiveClock } from '../store/EffectiveClock';
import { GrantBook, GrantQuestion } from './GrantBook';
import { RefusedCalls } from './RefusedCalls';
import { SessionStore } from '../store/SessionStore';
import { StoreSlices } from '../store/StoreSlices';
import { UnknownEffects } from '../ledger/UnknownEffects';

/** What the session remembers about consent, and how the calls of a batch are held against it. */
export class ConsentBooks {
  readonly grants: GrantBook;
  readonly refusals: RefusedCalls;
  readonly effects: UnknownEffects;
  private readonly ledger: CallLedger;

  constructor(store: SessionStore, clock: EffectiveClock, ids: IdGenerator, ledger: CallLedger, rules: GrantRules) {
    const slices: StoreSlices = new StoreSlices(store);
    this.grants = new GrantBook(slices, clock, ids, rules);
    this.refusals = new RefusedCalls(store, slices);
    this.effects = new UnknownEffects(slices);
    this.ledger = ledger;
  }

  /** For one batch: its calls share the reservations. */
  memory(): ConsentMemory {
    return new BatchMemory(this);
  }

  /**
   * The call as a question, when what let it through in phase 1 does not hold any more just before it starts: its grant is
   * gone, or the same effect has become unknown in this very batch. A person's own yes always holds.
   */
  question(work: BatchWork, prepared: PreparedCall): PreparedCall | undefined {
    if (!ApprovalDeciders.isAutomatic(prepared.decider)) {
      return undefined;
    }
    if (prepared.hasEffect && (this.justBecameUnknown(work, prepared) || this.goesOn(prepared))) {
      return prepared.asking(PREDECESSOR_UNKNOWN, true);
    }
    return prepared.grantId !== undefined && this.grants.find(prepared.grantId) === undefined ?
      prepared.asking('The permission that was remembered for this call does not hold any more', false) : undefined;
  }

  /** The grant that let the call through was not revoked on its way to its start; true for any other call. */
  stillGranted(prepared: PreparedCall | undefined): boolean {
    return prepared?.grantId === undefined || this.grants.isKept(prepared.grantId);
  }

  /**
   * The call is about to start: counts the use of its grant and takes an unknown predecessor as answered, in the draft, so
   * that the commit of the start carries both. @returns takes that back, for a call that did not start
   */
  starting(prepared: PreparedCall, entry: OpenCall): () => void {
    const grantId: string | undefined = prepared.grantId;
    const restore: () => void = prepared.hasEffect && entry.digest !== undefined ?
      this.effects.release(prepared.call.name, entry.digest) : nothing;
    if (grantId === undefined || !this.grants.use(grantId)) {
      return restore;
    }
    return (): void => {
      this.grants.giveBack(grantId);
      restore();
    };
  }

  /** The digest that the card shows for such a call; made when it is asked for. */
  digest(call: ToolCall, tool: RegisteredTool, args: JsonObject): () => string | undefined {
    return (): string | undefined => this.ledger.digestOf(call.name, args, this.ledger.definitionHash(tool));
  }

  grantQuestion(call: ToolCall, tool: RegisteredTool, args: JsonObject): GrantQuestion {
    const question: GrantQuestion = {
      toolName: call.name, riskLevel: tool.definition.riskLevel, definitionHash: this.ledger.definitionHash(tool),
      digest: this.digest(call, tool, args)
    };
    return question;
  }

  /** The same effect has become a job that has not ended. */
  private goesOn(prepared: PreparedCall): boolean {
    return prepared.tool?.contract.background === true &&
      this.effects.has(prepared.call.name, (): string | undefined => this.ledger.digestOfCall(prepared));
  }

  private justBecameUnknown(work: BatchWork, prepared: PreparedCall): boolean {
    for (let position: number = 0; position < work.length; position++) {
      const other: OpenCall = work.at(position);
      if (position !== prepared.call.index && other.status === CallStatus.unknown && other.lateResult === undefined &&
        other.effective.name === prepared.call.name && other.digest === this.ledger.digestOfCall(prepared)) {
        return true;
      }
    }
    return false;
  }
}

/** The memory of one batch: two calls never count on the same last use of a grant. */
class BatchMemory implements ConsentMemory {
  private readonly books: ConsentBooks;
  private readonly taken: Map<string, number> = new Map<string, number>();

  constructor(books: ConsentBooks) {
    this.books = books;
  }

  refused(call: ToolCall, tool: RegisteredTool, args: JsonObject): boolean {
    return this.books.refusals.has(call.name, this.books.digest(call, tool, args));
  }

  outcomeUnknown(call: ToolCall, tool: RegisteredTool, args: JsonObject): boolean {
    return this.books.effects.has(call.name, this.books.digest(call, tool, args));
  }

  grantFor(call: ToolCall, tool: RegisteredTool, args: JsonObject): string | undefined {
    if (this.books.grants.isEmpty) {
      return undefined;
    }
    const grant: ApprovalGrant | undefined = this.books.grants.match(this.books.grantQuestion(call, tool, args), this.taken);
    if (grant !== undefined) {
      this.taken.set(grant.grantId, (this.taken.get(grant.grantId) ?? 0) + 1);
    }
    return grant?.grantId;
  }
}

function nothing(): void {
}
