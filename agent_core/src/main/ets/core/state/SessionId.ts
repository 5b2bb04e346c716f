import { ArkAgentError } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';

/** Which session ids a storage takes: any text of 1 to 200 UTF-16 code units. */
export class SessionId {
  static readonly MAX_CHARS: number = 200;

  /** @returns session_id_invalid, or undefined for a good id */
  static fault(sessionId: string): ArkAgentError | undefined {
    if (sessionId.length >= 1 && sessionId.length <= SessionId.MAX_CHARS) {
      return undefined;
    }
    return ArkAgentError.of(ErrorCode.sessionIdInvalid,
      `a session id has 1 to ${SessionId.MAX_CHARS} characters, this one has ${sessionId.length}`);
  }
}
