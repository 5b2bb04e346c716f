/** Something the person typed cannot be used. Ends as one line and exit code 2, never as a stack trace. */
export class UsageError extends Error {}
