import { ToolService } from './ToolService';

/** The members of a link. */
export interface ChildLinkInit {
  childSessionId: string;
  begun: boolean;
  markBegun: () => Promise<boolean>;
  isPausing: () => boolean;
}

/**
 * The way from a call of a session to the child session that works on it; found in the context under `tool.child`, for the
 * runtime's own delegating tools only (DEC-54).
 *
 * @internal
 */
export class ChildLink implements ToolService {
  static readonly SERVICE_ID: string = 'tool.child';
  readonly serviceId: string = ChildLink.SERVICE_ID;
  /** The one child of this call, in this process and every later one. */
  readonly childSessionId: string;
  private readonly mark: () => Promise<boolean>;
  private readonly pausing: () => boolean;
  private hasBegun: boolean;

  constructor(init: ChildLinkInit) {
    this.childSessionId = init.childSessionId;
    this.hasBegun = init.begun;
    this.mark = init.markBegun;
    this.pausing = init.isPausing;
  }

  /** The child has stored something: from now on the link is followed, and the task is never given again. */
  get begun(): boolean {
    return this.hasBegun;
  }

  /** Puts on the parent's disk that the child has begun. @returns false when that could not be stored */
  async markBegun(): Promise<boolean> {
    if (!this.hasBegun) {
      this.hasBegun = await this.mark();
    }
    return this.hasBegun;
  }

  /** The signal fired because the app pauses the run, not because the call should end. */
  isPausing(): boolean {
    return this.pausing();
  }
}
