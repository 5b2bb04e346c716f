import { lookup } from 'node:dns/promises';
import { HostLookupError, Result, type HostResolver } from 'agent_core';

/** All addresses that the system's own resolver gives, the hosts file included: the same that a connection would be made to. */
export class NodeHostResolver implements HostResolver {
  async lookup(host: string): Promise<Result<readonly string[], HostLookupError>> {
    try {
      const answers = await lookup(host, { all: true, verbatim: true });
      return Result.success<readonly string[], HostLookupError>(answers.map((answer) => answer.address));
    } catch (thrown) {
      const { code = 'unknown' } = thrown as NodeJS.ErrnoException;
      return Result.failure<readonly string[], HostLookupError>(new HostLookupError(`lookup: ${code}`));
    }
  }
}
