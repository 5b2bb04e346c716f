/**
 * What the runtime's own code shows to reach an executor.
 *
 * Never exported from the HAR: who cannot make one cannot take a tool past the pipeline. It is checked at run time too.
 */
export class PipelineToken {
  private readonly purpose: string;

  constructor(purpose: string) {
    this.purpose = purpose;
  }

  toString(): string {
    return `PipelineToken(${this.purpose})`;
  }
}
