import { Result } from '../base/Result';

/** A look-up that gave no answer. Immutable. */
export class HostLookupError {
  /** For developers: operation and platform code. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * The name service of the host.
 *
 * Contract:
 * - All addresses that a connection may be made to, IPv4 and IPv6, as numbers without zone.
 * - Failure: a Result; must not throw or reject. No address at all is a failure.
 * - The answer of the system as it is: a policy judges it.
 */
export interface HostResolver {
  /** @param host a lower-case name, never an address */
  lookup(host: string): Promise<Result<ReadonlyArray<string>, HostLookupError>>;
}
