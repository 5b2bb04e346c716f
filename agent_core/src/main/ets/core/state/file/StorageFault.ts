import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { FileError } from '../../port/FileSystem';

/** The errors of the file storage; they name operations and kinds, never content. */
export class StorageFault {
  static save(error: FileError, doing: string): ArkAgentError {
    return StorageFault.io(ErrorCode.stateSaveFailed, error, doing);
  }

  static load(error: FileError, doing: string): ArkAgentError {
    return StorageFault.io(ErrorCode.stateLoadFailed, error, doing);
  }

  static unencodable(cause: ArkAgentError): ArkAgentError {
    const options: ArkAgentErrorOptions = { cause: cause as Error };
    return ArkAgentError.of(ErrorCode.stateSaveFailed, cause.message, options);
  }

  static conflict(expected: number, stored: number): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('expectedRevision', expected);
    details.set('storedRevision', stored);
    return ArkAgentError.of(ErrorCode.stateConflict,
      `another owner wrote the session: revision ${stored} is stored, ${expected} was expected`, { details: details });
  }

  static held(): ArkAgentError {
    return ArkAgentError.of(ErrorCode.stateConflict, 'another owner is committing to the session and does not come to an end');
  }

  static quarantined(file: string): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('file', file);
    return ArkAgentError.of(ErrorCode.stateCorrupt,
      'the session was found broken and is kept aside; it takes nothing until it is removed', { details: details });
  }

  private static io(code: ErrorCode, error: FileError, doing: string): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('kind', error.kind);
    return ArkAgentError.of(code, `${doing}: ${error.message}`, { details: details });
  }
}
