import { ChatAnswer } from './ChatAnswer';
import { StreamEmitter } from './StreamEmitter';
import { WireFault } from './WireFault';
import { arrayOf, objectOf, textOf, WireChoice, WireChunk, WireDelta, WireGroq, WirePart } from './WireTypes';

/**
 * Reads parsed chunks into an answer and tells the deltas.
 *
 * Only choice 0 counts. A chunk without choices, a choice without delta, null where a list or a text belongs, and members nobody knows add
 * nothing; none of them is an error.
 */
export class ChunkReader {
  private readonly answer: ChatAnswer;
  private readonly emitter: StreamEmitter;

  constructor(answer: ChatAnswer, emitter: StreamEmitter) {
    this.answer = answer;
    this.emitter = emitter;
  }

  /** @param raw a JSON object */
  read(raw: Object): void {
    const chunk: WireChunk = raw as WireChunk;
    const choices: ReadonlyArray<Object | null> | undefined = arrayOf(chunk.choices);
    if (choices !== undefined) {
      for (let at: number = 0; at < choices.length; at++) {
        this.readChoice(choices[at], at);
      }
    }
    const usage: Object | undefined = objectOf(chunk.usage) ?? groqUsage(chunk.x_groq);
    if (usage !== undefined) {
      this.answer.usage = usage;
    }
    if (this.answer.fault === undefined && (choices === undefined || choices.length === 0 || chunk.error !== undefined)) {
      this.answer.fault = WireFault.ofChunk(raw);
    }
    this.answer.chunks++;
  }

  private readChoice(raw: Object | null, place: number): void {
    const choice: WireChoice | undefined = objectOf(raw) as WireChoice | undefined;
    if (choice === undefined || (typeof choice.index === 'number' ? choice.index : place) !== 0) {
      return;
    }
    // A choice that is not streamed carries `message`; where both come, they say the same.
    const delta: Object | undefined = objectOf(choice.delta) ??
      (this.answer.chunks === 0 ? objectOf(choice.message) : undefined);
    if (delta !== undefined) {
      this.readDelta(delta as WireDelta);
    }
    const reason: string | undefined = textOf(choice.finish_reason);
    if (reason !== undefined) {
      this.answer.finishReason = reason;
    }
  }

  private readDelta(delta: WireDelta): void {
    const reasoning: string | undefined = textOf(delta.reasoning_content) ?? textOf(delta.reasoning);
    if (reasoning !== undefined) {
      this.addReasoning(reasoning);
    }
    const content: Object | null | undefined = delta.content;
    if (typeof content === 'string') {
      this.addText(content as string);
    } else if (content !== null && content !== undefined) {
      this.readParts(content);
    }
    if (delta.tool_calls !== undefined) {
      this.answer.calls.addList(arrayOf(delta.tool_calls) ?? []);
    }
    this.readRareMembers(delta);
  }

  private readRareMembers(delta: WireDelta): void {
    if (delta.reasoning_details !== undefined) {
      this.answer.addReasoningDetails(arrayOf(delta.reasoning_details) ?? []);
    }
    if (delta.refusal !== undefined) {
      this.answer.refusal += textOf(delta.refusal) ?? '';
    }
    if (delta.function_call !== undefined) {
      const call: Object | undefined = objectOf(delta.function_call);
      if (call !== undefined) {
        this.answer.calls.addFunctionCall(call);
      }
    }
  }

  /** Content as a list of parts; parts of unknown types are skipped. */
  private readParts(content: Object): void {
    for (const raw of arrayOf(content) ?? []) {
      const part: WirePart | undefined = objectOf(raw) as WirePart | undefined;
      if (part === undefined) {
        continue;
      }
      if (part.type === 'text') {
        this.addText(textOf(part.text) ?? '');
      } else if (part.type === 'thinking') {
        this.addReasoning(thinkingOf(part));
      }
    }
  }

  private addText(text: string): void {
    if (text !== '') {
      this.answer.text.append(text);
      this.emitter.text(text);
    }
  }

  private addReasoning(text: string): void {
    if (text !== '') {
      this.answer.reasoning.append(text);
      this.emitter.reasoning(text);
    }
  }
}

function groqUsage(raw: Object | null | undefined): Object | undefined {
  const groq: Object | undefined = objectOf(raw);
  return groq === undefined ? undefined : objectOf((groq as WireGroq).usage);
}

function thinkingOf(part: WirePart): string {
  const whole: string | undefined = textOf(part.thinking);
  if (whole !== undefined) {
    return whole;
  }
  let joined: string = '';
  for (const raw of arrayOf(part.thinking) ?? []) {
    const inner: WirePart | undefined = objectOf(raw) as WirePart | undefined;
    joined += inner === undefined ? '' : textOf(inner.text) ?? '';
  }
  return joined;
}
