import { JsonObject } from '../json/JsonObject';

/** How much harm a tool can do; decides who is asked before it runs. */
export enum ToolRiskLevel {
  /** Reads only: runs by itself. */
  safe = 'safe',
  /** A change that can be taken back: asks. */
  sensitive = 'sensitive',
  /** A change that cannot be taken back, or high risk: asks with ceremony. */
  dangerous = 'dangerous'
}

/** What the model sees of a tool (ADR-0005). Immutable once registered: the registry keeps a sealed copy. */
export class ToolDefinition {
  /** Letters, digits, `_` and `-`, 1 to 64 characters. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; the root is of type object. */
  readonly parameters: JsonObject;
  readonly riskLevel: ToolRiskLevel;

  constructor(name: string, description: string, parameters: JsonObject,
    riskLevel: ToolRiskLevel = ToolRiskLevel.safe) {
    this.name = name;
    this.description = description;
    this.parameters = parameters;
    this.riskLevel = riskLevel;
  }
}
