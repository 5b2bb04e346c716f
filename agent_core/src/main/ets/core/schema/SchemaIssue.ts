import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';

/** One way in which arguments do not fit their schema. Immutable; holds names and types, never an argument's value. */
export class SchemaIssue {
  /** A tool_argument_* code. */
  readonly code: ErrorCode;
  /** Where, for example `$.items[0].name`. */
  readonly path: string;
  /** One sentence that a model can act on. */
  readonly message: string;

  constructor(code: ErrorCode, path: string, message: string) {
    this.code = code;
    this.path = path;
    this.message = message;
  }

  /**
   * The first issue as an error; `details.path` is its place and `details.issues` holds every message, so that a model
   * can repair everything at once.
   *
   * @param issues at least one
   */
  static toError(issues: ReadonlyArray<SchemaIssue>): ArkAgentError {
    const messages: string[] = [];
    for (const issue of issues) {
      messages.push(issue.message);
    }
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('path', issues[0].path);
    details.set('issues', messages);
    const options: ArkAgentErrorOptions = { details: details };
    return ArkAgentError.of(issues[0].code, issues[0].message, options);
  }
}
