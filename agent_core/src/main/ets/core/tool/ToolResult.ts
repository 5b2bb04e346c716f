import { JsonObject } from '../json/JsonObject';
import { ContentPart } from '../message/ContentPart';

/**
 * What a tool answers. A failure is a result with `isError`, never a throw and never dressed up as success.
 * `stopFlag` ends the loop after the batch; with `isError` the error is fed back first (DEC-24).
 */
export class ToolResult {
  readonly contents: ReadonlyArray<ContentPart>;
  readonly isError: boolean;
  readonly stopFlag: boolean;
  /** For the app and the interface; the model never sees it. */
  readonly metadata: JsonObject | undefined;

  constructor(contents: ReadonlyArray<ContentPart>, isError: boolean = false, stopFlag: boolean = false,
    metadata?: JsonObject) {
    this.contents = contents;
    this.isError = isError;
    this.stopFlag = stopFlag;
    this.metadata = metadata;
  }

  static text(text: string): ToolResult {
    return new ToolResult([ContentPart.text(text)]);
  }

  static error(text: string): ToolResult {
    return new ToolResult([ContentPart.text(text)], true);
  }

  /** The text parts, joined by line feeds. */
  text(): string {
    const texts: string[] = [];
    for (const part of this.contents) {
      const text: string | undefined = part.asText();
      if (text !== undefined) {
        texts.push(text);
      }
    }
    return texts.join('\n');
  }
}
