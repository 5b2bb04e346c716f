import { RedactingChunkFilter } from '../../execution/redaction/RedactingChunkFilter';
import { RedactionOptions } from '../../execution/redaction/RedactionOptions';
import { Redactor } from '../../execution/redaction/Redactor';
import { SecretBook } from '../../execution/redaction/SecretBook';
import { CallPlace, CallSecrets } from '../../execution/vault/CallSecrets';
import { SecretVault } from '../../execution/vault/SecretVault';
import { JsonObject } from '../../json/JsonObject';
import { AgentMessage } from '../../message/AgentMessage';
import { ToolCall } from '../../message/ToolCall';
import { ModelResponse, ModelResponseInit } from '../../model/ModelResponse';
import { OpenBatch } from '../../state/OpenBatch';
import { SliceAccess } from '../../state/SliceAccess';
import { StateSlice } from '../../state/StateSlice';
import { RunEnd } from '../segment/RunEnd';

/** `{next}`: the number of the next placeholder, so that a later process does not give one twice. */
const SLICE: string = 'redaction';
const NEXT: string = 'next';

/** What a session masks, and where: one redactor with one book for everything that leaves the pipeline. */
export class SessionRedaction {
  readonly redactor: Redactor;
  readonly secrets: CallSecrets;
  private readonly options: RedactionOptions;
  private readonly sessionId: string;

  constructor(sessionId: string, options: RedactionOptions, vault: SecretVault | undefined, slices: SliceAccess) {
    this.sessionId = sessionId;
    this.options = options;
    const book: SecretBook = new SecretBook(slices.getSlice(SLICE)?.json.getNumber(NEXT) ?? 1, (next: number): void =>
      slices.putSlice(SLICE, new StateSlice(1, new JsonObject().setNumber(NEXT, next))));
    this.redactor = new Redactor(book, options);
    this.secrets = new CallSecrets(this.redactor, book, vault);
  }

  /** For one side of a model's stream; undefined when what the model writes is not masked. */
  chunkFilter(): RedactingChunkFilter | undefined {
    return this.options.modelText === false ? undefined : new RedactingChunkFilter(this.redactor);
  }

  /** New input, where the app wants that masked too. */
  input(messages: ReadonlyArray<AgentMessage>): ReadonlyArray<AgentMessage> {
    return this.options.input !== true ? messages :
      messages.map<AgentMessage>((message: AgentMessage): AgentMessage => this.redactor.message(message));
  }

  /**
   * The answer of the model as it is stored and shown.
   *
   * @param isMasked its text came through the chunk filters
   * @param earlier the answer whose placeholders count as the calls' own
   */
  async answer(batchId: string, response: ModelResponse, isMasked: boolean, earlier?: ModelResponse): Promise<ModelResponse> {
    const init: ModelResponseInit = response.toInit();
    if (!isMasked && this.options.modelText !== false) {
      init.text = this.redactor.text(response.text);
      init.reasoning = this.redactor.text(response.reasoning);
    }
    const own: string[] = [];
    for (const call of earlier?.toolCalls ?? []) {
      own.push(...this.secrets.marks(call.argumentsJson));
    }
    const calls: ToolCall[] = [];
    let changed: boolean = init.text !== response.text || init.reasoning !== response.reasoning;
    for (let position: number = 0; position < response.toolCalls.length; position++) {
      const call: ToolCall = response.toolCalls[position];
      const sealed: ToolCall = await this.secrets.seal(this.place(batchId, position), call, own);
      changed = changed || sealed !== call;
      calls.push(sealed);
    }
    if (!changed) {
      return response;
    }
    init.toolCalls = calls;
    // The provider's opaque values may repeat the arguments word for word.
    init.extras = undefined;
    return new ModelResponse(init);
  }

  /** An ending whose error names no secret. */
  end(end: RunEnd): RunEnd {
    return end.error === undefined ? end : end.withError(this.redactor.error(end.error));
  }

  /** The calls of the batch are over. */
  release(batch: OpenBatch): Promise<void> {
    return this.secrets.releaseBatch(this.sessionId, batch);
  }

  private place(batchId: string, position: number): CallPlace {
    const place: CallPlace = { sessionId: this.sessionId, batchId: batchId, position: position };
    return place;
  }
}
