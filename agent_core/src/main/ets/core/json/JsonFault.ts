import { ArkAgentError, ErrorDetail } from '../base/ArkAgentError';
import { ErrorCode } from '../base/ErrorCodes';

/** The errors of this folder. They name positions and limits, never the text around them. */
export class JsonFault {
  static syntax(message: string, offset: number): ArkAgentError {
    return JsonFault.at(ErrorCode.jsonSyntax, message, offset);
  }

  static numberRange(offset: number): ArkAgentError {
    return JsonFault.at(ErrorCode.jsonNumberRange, 'a number is too large for a double', offset);
  }

  static numberUnsafe(offset: number): ArkAgentError {
    return JsonFault.at(ErrorCode.jsonNumberUnsafe, 'a number is above 2^53 - 1 and may have lost digits', offset);
  }

  static notFinite(): ArkAgentError {
    return ArkAgentError.of(ErrorCode.jsonNumberRange, 'NaN and Infinity have no JSON form');
  }

  static loneSurrogate(): ArkAgentError {
    return ArkAgentError.of(ErrorCode.jsonSyntax, 'a lone surrogate has no canonical form');
  }

  /** offset is undefined for a value that is written, not read. */
  static tooDeep(maxDepth: number, offset?: number): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('maxDepth', maxDepth);
    if (offset !== undefined) {
      details.set('offset', offset);
    }
    return ArkAgentError.of(ErrorCode.jsonTooDeep, `more than ${maxDepth} levels of arrays and objects`,
      { details: details });
  }

  static tooLarge(chars: number, maxChars: number): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('chars', chars);
    details.set('maxChars', maxChars);
    return ArkAgentError.of(ErrorCode.jsonTooLarge, `${chars} characters of JSON, at most ${maxChars} are read`,
      { details: details });
  }

  private static at(code: ErrorCode, message: string, offset: number): ArkAgentError {
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('offset', offset);
    return ArkAgentError.of(code, `${message} at offset ${offset}`, { details: details });
  }
}
