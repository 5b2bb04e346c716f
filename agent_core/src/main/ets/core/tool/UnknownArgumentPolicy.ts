/** What happens to arguments that the schema of a tool does not name. */
export enum UnknownArgumentPolicy {
  /** They reach the tool, as JSON Schema has it. */
  allow = 'allow',
  /** The call fails with tool_argument_unknown. */
  reject = 'reject',
  /** The tool does not get them. */
  strip = 'strip'
}
