/** Something the person typed cannot be used. Ends as one line and exit code 2, never as a stack trace. */
export class UsageError extends Error {
  // Each command is a bundle of its own with its own copy of this class: the name tells, `instanceof` does not.
  override readonly name = 'UsageError';
}
