import { AgentHook } from '../hook/AgentHook';
import { StatePersistenceHookContext } from '../hook/context/StatePersistenceHookContext';
import { StatePersistenceHookResult } from '../hook/result/StatePersistenceHookResult';
import { FeatureLink } from '../runtime/session/FeatureLink';
import { EffectBook } from './EffectBook';

/** Keeps the book of a child session's effects: with each write, what the journal says is in the slice too. */
export class EffectHook extends AgentHook {
  private link: FeatureLink | undefined = undefined;

  constructor() {
    super('subagent.effects');
  }

  open(link: FeatureLink): void {
    this.link = link;
  }

  override async beforePersistState(context: StatePersistenceHookContext): Promise<StatePersistenceHookResult> {
    const link: FeatureLink | undefined = this.link;
    if (link !== undefined && link.sessionId === context.sessionId) {
      EffectBook.note(link, link.openBatchId, link.openCalls());
    }
    return StatePersistenceHookResult.proceed();
  }
}
