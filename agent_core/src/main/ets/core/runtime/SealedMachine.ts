import { ApprovalDeadlines } from './consent/ApprovalDeadlines';
import { RuntimeParts } from './RuntimeParts';
import { SegmentRunner } from './SegmentRunner';

/** What makes a session run. */
export interface Machine {
  readonly parts: RuntimeParts;
  readonly segments: SegmentRunner;
  readonly deadlines: ApprovalDeadlines;
}

/** What the runtime's own code shows to reach its machine. Never exported from the HAR. */
export class MachineKey {
  private readonly purpose: string = 'machine';

  toString(): string {
    return `MachineKey(${this.purpose})`;
  }
}

/**
 * The machine of a session, out of reach for who holds the session: neither a field nor a method of `AgentRuntime` leads to the
 * pipeline and its tools, also not where private fields are fields like any other.
 *
 * @internal
 */
export class SealedMachine {
  private readonly opener: (key: MachineKey) => Machine;

  constructor(machine: Machine) {
    this.opener = (key: MachineKey): Machine => {
      if (key instanceof MachineKey) {
        return machine;
      }
      throw new Error('a machine opens for its runtime only');
    };
  }

  open(key: MachineKey): Machine {
    return this.opener(key);
  }
}
