/** What a model asks for: a tool by name with a JSON text. Nothing in it is trusted. Immutable. */
export class ToolCall {
  /** Unique within its assistant message; providers reuse ids over turns, so pairing goes by message and position. */
  readonly id: string;
  readonly name: string;
  /** The text as the model wrote it; "" means no arguments. */
  readonly argumentsJson: string;
  /** Position in the assistant message, from 0. */
  readonly index: number;

  constructor(id: string, name: string, argumentsJson: string, index: number) {
    this.id = id;
    this.name = name;
    this.argumentsJson = argumentsJson;
    this.index = index;
  }

  /** The same call with other arguments; the id stays. */
  withArguments(argumentsJson: string): ToolCall {
    return new ToolCall(this.id, this.name, argumentsJson, this.index);
  }

  /** The same call for another tool; the id stays. */
  withName(name: string): ToolCall {
    return new ToolCall(this.id, name, this.argumentsJson, this.index);
  }

  /** The same call under another id; only assembly uses it, to make ids unique (DEC-47). */
  withId(id: string): ToolCall {
    return new ToolCall(id, this.name, this.argumentsJson, this.index);
  }
}
