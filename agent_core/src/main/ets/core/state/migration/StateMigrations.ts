import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonObject } from '../../json/JsonObject';
import { DocumentReader } from '../codec/DocumentReader';
import { StateFault } from '../codec/StateFault';
import { StateMigration } from './StateMigration';
import { V1Additions } from './V1Additions';
import { V1Messages } from './V1Messages';
import { V1Run } from './V1Run';
import { V1Times } from './V1Times';
import { V1Version } from './V1Version';

/** The list of all steps, oldest first, and the rule which documents are read at all. */
export class StateMigrations {
  /** The newest version, which needs no step. */
  static readonly NEWEST: number = 2;
  private readonly steps: ReadonlyArray<StateMigration> = [
    new V1Messages(), new V1Times(), new V1Run(), new V1Additions(), new V1Version()
  ];

  /**
   * The document in the newest version; the given one stays as it is.
   * Errors: state_version_unsupported for a newer one, state_corrupt where there is no usable version.
   */
  migrate(document: JsonObject): Result<JsonObject, ArkAgentError> {
    try {
      const version: number = new DocumentReader(document, '').count('schemaVersion');
      if (version > StateMigrations.NEWEST) {
        throw StateFault.versionUnsupported(version, StateMigrations.NEWEST);
      }
      if (version < 1) {
        throw StateFault.corrupt('/schemaVersion', '1 or more', '0');
      }
      return Result.success<JsonObject, ArkAgentError>(
        version === StateMigrations.NEWEST ? document : this.run(document.clone(), version));
    } catch (e) {
      return Result.failure<JsonObject, ArkAgentError>(
        ArkAgentError.wrap(ErrorCode.stateCorrupt, e as Error, 'the stored state cannot be migrated'));
    }
  }

  private run(document: JsonObject, from: number): JsonObject {
    for (const step of this.steps) {
      if (step.from >= from) {
        step.apply(document);
      }
    }
    return document;
  }
}
