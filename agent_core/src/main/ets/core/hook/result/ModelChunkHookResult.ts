import { ArkAgentError } from '../../base/ArkAgentError';
import { HookResultBase } from './HookResultBase';

export enum ModelChunkHookAction {
  proceed = 'proceed',
  drop = 'drop',
  abort = 'abort'
}

/** Answer of onModelChunk. */
export class ModelChunkHookResult extends HookResultBase {
  readonly action: ModelChunkHookAction;
  /** Empty unless proceed. */
  readonly text: string;
  /** Empty unless proceed. */
  readonly reasoning: string;

  private constructor(action: ModelChunkHookAction, text: string, reasoning: string, reason: string,
    error: ArkAgentError | undefined) {
    super(action === ModelChunkHookAction.abort, reason, error);
    this.action = action;
    this.text = text;
    this.reasoning = reasoning;
  }

  static proceed(text: string, reasoning: string): ModelChunkHookResult {
    return new ModelChunkHookResult(ModelChunkHookAction.proceed, text, reasoning, '', undefined);
  }

  /** Nobody sees this piece: no observer, event, history or file. */
  static drop(): ModelChunkHookResult {
    return new ModelChunkHookResult(ModelChunkHookAction.drop, '', '', '', undefined);
  }

  /** Stops the request and ends the run. */
  static abort(reason: string, error?: ArkAgentError): ModelChunkHookResult {
    return new ModelChunkHookResult(ModelChunkHookAction.abort, '', '', reason, error);
  }
}
