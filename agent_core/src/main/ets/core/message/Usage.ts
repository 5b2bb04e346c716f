/** Tokens that a provider reports. Immutable. */
export class Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;

  constructor(promptTokens: number, completionTokens: number, totalTokens: number) {
    this.promptTokens = promptTokens;
    this.completionTokens = completionTokens;
    this.totalTokens = totalTokens;
  }

  static zero(): Usage {
    return new Usage(0, 0, 0);
  }

  plus(other: Usage): Usage {
    return new Usage(this.promptTokens + other.promptTokens, this.completionTokens + other.completionTokens,
      this.totalTokens + other.totalTokens);
  }
}
