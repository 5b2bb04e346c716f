import { OpenAiCompatibleProvider, type AgentPorts, type ModelProvider } from 'agent_core';
import { NodeHttpTransport } from '../http/NodeHttpTransport';
import type { OnlineModel } from './DemoAgent';
import type { OnlineAddress } from './DemoOptions';

/** Any OpenAI-compatible endpoint; the key stays in the environment (ARKAGENT_API_KEY) and is read per request. */
export function createOnlineModel(online: OnlineAddress, ports: AgentPorts): ModelProvider {
  return new OpenAiCompatibleProvider(
    { baseUrl: online.baseUrl, model: online.model, apiKey: () => process.env['ARKAGENT_API_KEY'] ?? '' },
    { transport: new NodeHttpTransport(ports.scheduler), ids: ports.ids, scheduler: ports.scheduler },
  );
}

/** The same, as an agent takes it. */
export function onlineModel(address: OnlineAddress): OnlineModel {
  return { name: address.model, create: (ports) => createOnlineModel(address, ports) };
}
