import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';

/** Assertions of the contract cases: each throws an Error that says what was expected, under any test runner. */
export class Check {
  static that(condition: boolean, expectation: string): void {
    if (!condition) {
      throw new Error(`expected: ${expectation}`);
    }
  }

  static same(seen: string | number | boolean | undefined, expected: string | number | boolean | undefined, what: string): void {
    if (seen !== expected) {
      throw new Error(`${what}: expected ${expected}, got ${seen}`);
    }
  }

  static value<T>(result: Result<T, ArkAgentError>, what: string): T {
    if (!result.ok) {
      throw new Error(`${what}: failed with ${result.error.code}: ${result.error.message}`);
    }
    return result.value;
  }

  static fails<T>(result: Result<T, ArkAgentError>, code: ErrorCode, what: string): ArkAgentError {
    if (result.ok) {
      throw new Error(`${what}: expected ${code}, but it succeeded`);
    }
    Check.same(result.error.code, code, what);
    return result.error;
  }
}
