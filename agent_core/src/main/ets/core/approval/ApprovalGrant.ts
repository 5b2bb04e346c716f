import { JsonObject } from '../json/JsonObject';

/** What a remembered yes covers. */
export enum GrantScope {
  /** Every call of the tool. */
  tool = 'tool',
  /** Calls of the tool with the arguments that were shown. */
  arguments = 'arguments'
}

/** What a person wants remembered with a yes: later calls are allowed without asking. */
export interface RememberRequest {
  scope: GrantScope;
  /** Milliseconds from the decision on; default: as long as the session. */
  expiresInMs?: number;
  /** How many later calls; default: any number. */
  uses?: number;
}

/** What an app allows to be remembered. */
export interface GrantRules {
  /** Also for dangerous tools; default false. */
  allowDangerous?: boolean;
  /** Grants that a session keeps at most: 100. 0 = nothing is remembered. */
  maxGrants?: number;
}

/** The parts of a grant. */
export interface ApprovalGrantInit {
  grantId: string;
  toolName: string;
  scope: GrantScope;
  definitionHash: string;
  digest?: string;
  createdAtMs: number;
  expiresAtMs?: number;
  remainingUses?: number;
  grantedBy: string;
}

/** A remembered yes. It may only turn a policy's wish to ask into allow, nothing else (DEC-46). Plain data, immutable. */
export class ApprovalGrant {
  static readonly DEFAULT_MAX: number = 100;
  readonly grantId: string;
  readonly toolName: string;
  readonly scope: GrantScope;
  /** Of the tool that was shown; another definition voids the grant. */
  readonly definitionHash: string;
  /** `v1:sha256:…` over name, canonical arguments and definition; scope arguments only. */
  readonly digest: string | undefined;
  /** Milliseconds since the epoch, like all `…AtMs`. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
  /** undefined = any number. */
  readonly remainingUses: number | undefined;
  /** Who said yes. */
  readonly grantedBy: string;

  constructor(init: ApprovalGrantInit) {
    this.grantId = init.grantId;
    this.toolName = init.toolName;
    this.scope = init.scope;
    this.definitionHash = init.definitionHash;
    this.digest = init.digest;
    this.createdAtMs = init.createdAtMs;
    this.expiresAtMs = init.expiresAtMs;
    this.remainingUses = init.remainingUses;
    this.grantedBy = init.grantedBy;
  }

  /** It has a use left and its time has not passed. */
  isLive(nowMs: number): boolean {
    return (this.expiresAtMs === undefined || nowMs < this.expiresAtMs) && this.remainingUses !== 0;
  }

  /** The same grant with its counter moved, not below 0; itself when it has none. */
  counted(by: number): ApprovalGrant {
    if (this.remainingUses === undefined) {
      return this;
    }
    const init: ApprovalGrantInit = this.toInit();
    init.remainingUses = Math.max(0, this.remainingUses + by);
    return new ApprovalGrant(init);
  }

  toJson(): JsonObject {
    const json: JsonObject = new JsonObject()
      .setString('grantId', this.grantId)
      .setString('toolName', this.toolName)
      .setString('scope', this.scope)
      .setString('definitionHash', this.definitionHash)
      .setNumber('createdAtMs', this.createdAtMs)
      .setString('grantedBy', this.grantedBy);
    if (this.digest !== undefined) {
      json.setString('digest', this.digest);
    }
    if (this.expiresAtMs !== undefined) {
      json.setNumber('expiresAtMs', this.expiresAtMs);
    }
    if (this.remainingUses !== undefined) {
      json.setNumber('remainingUses', this.remainingUses);
    }
    return json;
  }

  /** undefined for anything that is no complete grant: then a person is asked. */
  static fromJson(json: JsonObject): ApprovalGrant | undefined {
    const scope: string | undefined = json.getString('scope');
    const init: ApprovalGrantInit = {
      grantId: json.getString('grantId') ?? '', toolName: json.getString('toolName') ?? '',
      scope: scope === GrantScope.tool ? GrantScope.tool : GrantScope.arguments,
      definitionHash: json.getString('definitionHash') ?? '', digest: json.getString('digest'),
      createdAtMs: json.getNumber('createdAtMs') ?? 0, expiresAtMs: json.getNumber('expiresAtMs'),
      remainingUses: json.getNumber('remainingUses'), grantedBy: json.getString('grantedBy') ?? ''
    };
    const complete: boolean = init.grantId !== '' && init.toolName !== '' && init.definitionHash !== '' &&
      (scope === GrantScope.tool || (scope === GrantScope.arguments && init.digest !== undefined)) &&
      isAbsentOrNumber(json, 'expiresAtMs') && isAbsentOrNumber(json, 'remainingUses');
    return complete ? new ApprovalGrant(init) : undefined;
  }

  private toInit(): ApprovalGrantInit {
    const init: ApprovalGrantInit = {
      grantId: this.grantId, toolName: this.toolName, scope: this.scope, definitionHash: this.definitionHash,
      digest: this.digest, createdAtMs: this.createdAtMs, expiresAtMs: this.expiresAtMs,
      remainingUses: this.remainingUses, grantedBy: this.grantedBy
    };
    return init;
  }
}

/** A limit that cannot be read must not count as no limit. */
function isAbsentOrNumber(json: JsonObject, key: string): boolean {
  return !json.has(key) || json.getNumber(key) !== undefined;
}
