import { AuthorizationPolicy, AuthorizationRequest, AuthorizationResult } from '../../approval/AuthorizationPolicy';
import { ToolEffect } from '../../tool/ToolContract';

/** How much an agent may do now. */
export enum AgentMode {
  /** Nothing with an effect. */
  readOnly = 'read_only',
  /** Nothing with an effect until the plan is accepted. */
  plan = 'plan',
  full = 'full'
}

/** Says which mode a session is in. Must not throw; a throw or any other answer counts as readOnly. */
export interface ModeSource {
  modeOf(sessionId: string): AgentMode;
}

/** Modes kept in memory; the app sets them and brings them back after a restart. */
export class SessionModes implements ModeSource {
  private readonly initial: AgentMode;
  private readonly modes: Map<string, AgentMode> = new Map<string, AgentMode>();

  /** @param initial the mode of a session for which nothing was set */
  constructor(initial: AgentMode = AgentMode.readOnly) {
    this.initial = initial;
  }

  set(sessionId: string, mode: AgentMode): void {
    this.modes.set(sessionId, mode);
  }

  modeOf(sessionId: string): AgentMode {
    return this.modes.get(sessionId) ?? this.initial;
  }
}

/** Rejects calls with an effect while the session is in read-only or plan mode. The effect is the author's word, not the model's. */
export class ModePolicy implements AuthorizationPolicy {
  readonly name: string = 'mode';
  private readonly source: ModeSource;
  private readonly exempt: ReadonlySet<string>;

  /** @param exempt tools with an effect that every mode allows, for example one that writes the plan */
  constructor(source: ModeSource, exempt: ReadonlyArray<string> = []) {
    this.source = source;
    this.exempt = new Set<string>(exempt);
  }

  async authorize(request: AuthorizationRequest): Promise<AuthorizationResult> {
    if (request.effect === ToolEffect.none || this.exempt.has(request.definition.name)) {
      return AuthorizationResult.allow();
    }
    const mode: AgentMode = this.mode(request.sessionId);
    if (mode === AgentMode.full) {
      return AuthorizationResult.allow();
    }
    return AuthorizationResult.reject(mode === AgentMode.plan
      ? 'plan mode: nothing may be changed before the plan is accepted' : 'read-only mode: nothing may be changed');
  }

  private mode(sessionId: string): AgentMode {
    try {
      return this.source.modeOf(sessionId);
    } catch (e) {
      return AgentMode.readOnly;
    }
  }
}
