import { AgentMessage, MessageRole } from '../../message/AgentMessage';
import { HookDiagnosticCode } from '../HookDiagnostic';
import { Snapshots } from '../Snapshots';
import { SlotLog } from './SlotLog';

/** Which messages a hook may add to the conversation (DEC-35). */
export class InjectedMessages {
  static areList(messages: ReadonlyArray<AgentMessage>): boolean {
    return Array.isArray(messages) && messages.every((message: AgentMessage): boolean => message instanceof AgentMessage);
  }

  /** Copies of those with role user or system; the others are logged and left out. */
  static accept(hookName: string, messages: ReadonlyArray<AgentMessage>, log: SlotLog): AgentMessage[] {
    const accepted: AgentMessage[] = [];
    for (const message of messages) {
      if (message.role === MessageRole.user || message.role === MessageRole.system) {
        accepted.push(Snapshots.message(message));
      } else {
        log.add(hookName, `an injected message of role ${message.role} was left out: only user and system are allowed`,
          HookDiagnosticCode.messageDropped);
      }
    }
    return accepted;
  }
}
