import { AuthorizationPolicy, AuthorizationRequest, AuthorizationResult } from '../../approval/AuthorizationPolicy';

/** What happens to a call that could carry data of a class out. */
export enum DataClassAction {
  allow = 'allow',
  ask = 'ask',
  reject = 'reject'
}

/** Tells which classes of data a call may carry: from its arguments, from what the session has read, from both. */
export interface DataLabelSource {
  /** Empty when nothing needs care. Must not throw; a throw rejects the call. */
  labels(request: AuthorizationRequest): ReadonlyArray<string>;
}

/** One line of a data policy. */
export interface DataClassRule {
  label: string;
  action: DataClassAction;
}

/** What counts as sending. */
export interface DataClassOptions {
  /** Tools that send although they name no host: a message, a share sheet, an MCP server. */
  outgoingTools?: ReadonlyArray<string>;
}

/**
 * Stops data of certain classes at the door: a call that sends something is judged by the labels that it may carry, the strictest
 * rule first. A label without a rule rejects.
 */
export class DataClassPolicy implements AuthorizationPolicy {
  readonly name: string = 'data_class';
  private readonly source: DataLabelSource;
  private readonly rules: Map<string, DataClassAction> = new Map<string, DataClassAction>();
  private readonly outgoing: ReadonlySet<string>;

  constructor(source: DataLabelSource, rules: ReadonlyArray<DataClassRule>, options: DataClassOptions = {}) {
    this.source = source;
    for (const rule of rules) {
      this.rules.set(rule.label, rule.action);
    }
    this.outgoing = new Set<string>(options.outgoingTools ?? []);
  }

  async authorize(request: AuthorizationRequest): Promise<AuthorizationResult> {
    if (request.hosts.length === 0 && !this.outgoing.has(request.definition.name)) {
      return AuthorizationResult.allow();
    }
    let asks: string = '';
    for (const label of this.source.labels(request)) {
      const action: DataClassAction | undefined = this.rules.get(label);
      if (action === DataClassAction.ask) {
        asks = asks === '' ? label : asks;
      } else if (action !== DataClassAction.allow) {
        return AuthorizationResult.reject(`data of the class "${shown(label)}" must not be sent`);
      }
    }
    return asks === ''
      ? AuthorizationResult.allow() : AuthorizationResult.requireConfirmation(`data of the class "${shown(asks)}" would be sent`);
  }
}

/** A label is the app's word, but a wrong one must not fill a message. */
function shown(label: string): string {
  return `${label}`.substring(0, 40);
}

/**
 * Labels per session, in memory: once a session has read something private, all that it sends may carry it.
 *
 * The labels do not survive the process. So a session that was not begun here counts as `UNKNOWN`, which a policy rejects unless a
 * rule says otherwise: begin a new session, and bring back the labels of a loaded one.
 */
export class SessionDataLabels implements DataLabelSource {
  static readonly UNKNOWN: string = 'unknown';
  private readonly sessions: Map<string, Set<string>> = new Map<string, Set<string>>();

  /** @param labels those that the app stored for a loaded session */
  begin(sessionId: string, labels: ReadonlyArray<string> = []): void {
    this.sessions.set(sessionId, new Set<string>(labels));
  }

  /** The session has seen data of this class, for example in the result of a tool. There is no way back but `begin`. */
  mark(sessionId: string, label: string): void {
    const known: Set<string> = this.sessions.get(sessionId) ?? new Set<string>([SessionDataLabels.UNKNOWN]);
    known.add(label);
    this.sessions.set(sessionId, known);
  }

  labelsOf(sessionId: string): ReadonlyArray<string> {
    const known: Set<string> | undefined = this.sessions.get(sessionId);
    return known === undefined ? [SessionDataLabels.UNKNOWN] : Array.from(known);
  }

  labels(request: AuthorizationRequest): ReadonlyArray<string> {
    return this.labelsOf(request.sessionId);
  }
}
