import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';

/** The errors of reading a stored session. They name places and kinds, never a stored value. */
export class StateFault {
  /** @param path JSON pointer of the member that is wrong */
  static corrupt(path: string, expected: string, seen: string): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('path', path);
    return ArkAgentError.of(ErrorCode.stateCorrupt, `stored state at ${path === '' ? 'the root' : path}: expected ${expected}, got ${seen}`,
      { details: details });
  }

  /** The document breaks a rule that no single member shows. */
  static broken(path: string, rule: string): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('path', path);
    return ArkAgentError.of(ErrorCode.stateInvariantBroken, `state at ${path === '' ? 'the root' : path}: ${rule}`,
      { details: details });
  }

  static versionUnsupported(version: number, supported: number): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('schemaVersion', version);
    return ArkAgentError.of(ErrorCode.stateVersionUnsupported,
      `the session has schema version ${version}, this version reads up to ${supported}`, { details: details });
  }

  /** The same finding reported as a fault of the stored file. */
  static asCorrupt(found: ArkAgentError): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    const path: ErrorDetail | undefined = found.details?.get('path');
    if (path !== undefined) {
      details.set('path', path);
    }
    details.set('code', found.code);
    const options: ArkAgentErrorOptions = { details: details, cause: found as Error };
    return ArkAgentError.of(ErrorCode.stateCorrupt, found.message, options);
  }
}
