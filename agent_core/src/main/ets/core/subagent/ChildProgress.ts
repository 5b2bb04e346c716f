import { BaseObserver } from '../base/StreamObserver';
import { AgentEvent, AgentEventType } from '../runtime/report/AgentEvent';
import { ToolCallScope } from '../tool/ToolCallScope';

/** What a child says and does, as progress of the call that it works on. Nothing else of its events leaves it. */
export class ChildProgress extends BaseObserver<AgentEvent> {
  private readonly scope: ToolCallScope | undefined;

  constructor(scope: ToolCallScope | undefined) {
    super();
    this.scope = scope;
  }

  override onNext(event: AgentEvent): void {
    switch (event.type) {
      case AgentEventType.textDelta:
        this.scope?.reportProgress(event.text);
        break;
      case AgentEventType.toolCallStarted:
        this.scope?.reportProgress(event.call?.name ?? '');
        break;
      case AgentEventType.toolProgress:
        this.scope?.reportProgress(event.text, event.fraction);
        break;
      default:
        break;
    }
  }
}
