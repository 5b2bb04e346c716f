import type { AgentPorts, Logger } from 'agent_core';
import { NodeDigest } from './NodeDigest';
import { NodeScheduler } from './NodeScheduler';
import { SystemClock } from './SystemClock';
import { UuidGenerator } from './UuidGenerator';

/** Everything the core needs from Node. */
export function nodePorts(logger?: Logger): AgentPorts {
  const ports: AgentPorts = {
    clock: new SystemClock(), scheduler: new NodeScheduler(), ids: new UuidGenerator(), digest: new NodeDigest(),
  };
  if (logger !== undefined) ports.logger = logger;
  return ports;
}
