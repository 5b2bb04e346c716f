import { ArkAgentError } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { ToolCall } from '../../message/ToolCall';
import { OpenBatch } from '../../state/OpenBatch';
import { ToolResult } from '../../tool/ToolResult';
import { JsonStrings } from '../redaction/JsonStrings';
import { Placeholder } from '../redaction/Placeholder';
import { Redactor } from '../redaction/Redactor';
import { SecretBook } from '../redaction/SecretBook';
import { PlaceholderPaths } from './PlaceholderPaths';
import { SecretVault } from './SecretVault';

/** The call that secrets belong to. */
export interface CallPlace {
  sessionId: string;
  batchId: string;
  position: number;
}

/** Names that are remembered to hold no secret. */
const MAX_NAMES: number = 256;

/** Nothing of the call's own yet. */
const NONE: ReadonlyArray<string> = [];

/**
 * Arguments with secrets on their way from the model to the executor (DEC-37).
 *
 * Sealed, a call carries placeholders, and that text is what everybody sees, what is stored and what is digested. A placeholder is
 * a reference into the vault for its own call only: opened, just before the executor and for the checks in front of it, the same
 * text has its values back. A placeholder that the call did not get by sealing opens nothing, so a model cannot have a secret
 * sent somewhere by quoting the mark that it saw in a result.
 */
export class CallSecrets {
  private readonly redactor: Redactor;
  private readonly book: SecretBook;
  private readonly vault: SecretVault | undefined;
  private readonly codec: JsonCodec = new JsonCodec();
  private readonly cleanNames: Set<string> = new Set<string>();

  constructor(redactor: Redactor, book: SecretBook, vault: SecretVault | undefined) {
    this.redactor = redactor;
    this.book = book;
    this.vault = vault;
  }

  /**
   * The call with placeholders, whose secrets the vault has now. What could not be kept cannot be opened later: the call is
   * refused then, not here.
   *
   * @param own labels that the call got by an earlier sealing; any other mark that is in the text already is foreign
   */
  async seal(place: CallPlace, given: ToolCall, own: ReadonlyArray<string> = NONE): Promise<ToolCall> {
    const call: ToolCall = this.isClean(given.name) ? given : given.withName(this.maskedName(given.name));
    const masked: string = this.redactor.argumentsJson(call.argumentsJson);
    if (masked === call.argumentsJson) {
      return call;
    }
    const before: ReadonlyArray<string> = this.marks(call.argumentsJson);
    const foreign: boolean = before.some((label: string): boolean => !own.includes(label));
    if (!foreign && this.vault !== undefined) {
      for (const label of Placeholder.labels(masked)) {
        const secret: string | undefined = before.includes(label) ? undefined : this.book.valueOf(label);
        if (secret !== undefined) {
          await this.put(this.vault, place, label, secret);
        }
      }
    }
    return call.withArguments(this.asBroken(call.argumentsJson, masked));
  }

  /** What could not be read must not become readable because a mark took the place of what was wrong with it. */
  private asBroken(written: string, masked: string): string {
    return this.codec.parse(written).ok || !this.codec.parse(masked).ok ? masked : masked.trimEnd().slice(0, -1);
  }

  /** A model may write anything as a name, and the same few names nearly always. */
  private isClean(name: string): boolean {
    if (this.cleanNames.has(name)) {
      return true;
    }
    const clean: boolean = this.redactor.text(name) === name;
    if (clean && this.cleanNames.size < MAX_NAMES) {
      this.cleanNames.add(name);
    }
    return clean;
  }

  /** Written so that a model service takes it back; no tool has it. */
  private maskedName(name: string): string {
    return this.redactor.text(name).replace(new RegExp('[^A-Za-z0-9_-]', 'g'), '_').substring(0, 64);
  }

  /** Whether a text has placeholders, also ones that are spelled with escapes. */
  isSealed(argumentsJson: string): boolean {
    return this.marks(argumentsJson).length > 0;
  }

  /** The labels of the placeholders in arguments. */
  marks(argumentsJson: string): ReadonlyArray<string> {
    if (!Placeholder.isIn(argumentsJson) && !mayBeSpelled(argumentsJson)) {
      return NONE;
    }
    const found: Set<string> = new Set<string>(Placeholder.labels(argumentsJson));
    JsonStrings.map(argumentsJson, (value: string, name: string, isName: boolean): string => {
      for (const label of Placeholder.labels(value)) {
        found.add(label);
      }
      return value;
    });
    return Array.from(found);
  }

  /** The arguments as the executor gets them. Errors: tool_argument_secret. */
  async open(place: CallPlace, argumentsJson: string): Promise<Result<string, ArkAgentError>> {
    const values: Map<string, string> = new Map<string, string>();
    for (const label of this.marks(argumentsJson)) {
      const secret: string | undefined = await this.value(place, label);
      if (secret === undefined) {
        return Result.failure<string, ArkAgentError>(unavailable(this.vault !== undefined));
      }
      this.book.know(label, secret);
      values.set(label, secret);
    }
    return Result.success<string, ArkAgentError>(restored(argumentsJson, values, 0));
  }

  /** The call has its answer and will not run again. */
  async release(place: CallPlace, argumentsJson: string): Promise<void> {
    if (this.vault === undefined) {
      return;
    }
    for (const label of this.marks(argumentsJson)) {
      try {
        await this.vault.remove(place.sessionId, referenceOf(place, label));
      } catch (e) {
        // What stays in the vault is not reachable any more; the call is over either way.
      }
    }
  }

  /** The calls of the batch are over. */
  async releaseBatch(sessionId: string, batch: OpenBatch): Promise<void> {
    for (const call of batch.calls) {
      const place: CallPlace = { sessionId: sessionId, batchId: batch.batchId, position: call.position };
      await this.release(place, call.effective.argumentsJson);
      if (call.proposed !== undefined) {
        await this.release(place, call.proposed.argumentsJson);
      }
    }
  }

  /** Whether an edit left the placeholders where the person saw them. */
  keepsPlaces(shown: string, edited: string): boolean {
    return PlaceholderPaths.kept(shown, edited, this.codec);
  }

  result(result: ToolResult): ToolResult {
    return this.redactor.result(result);
  }

  /** An error that was made with the opened arguments at hand, for everybody. */
  clean(error: ArkAgentError): ArkAgentError {
    return this.redactor.error(error);
  }

  text(text: string): string {
    return this.redactor.text(text);
  }

  private async put(vault: SecretVault, place: CallPlace, label: string, secret: string): Promise<void> {
    try {
      await vault.put(place.sessionId, referenceOf(place, label), secret);
    } catch (e) {
      // As a failure: the call cannot be opened and answers tool_argument_secret.
    }
  }

  private async value(place: CallPlace, label: string): Promise<string | undefined> {
    try {
      const found: Result<string | undefined, ArkAgentError> | undefined =
        await this.vault?.resolve(place.sessionId, referenceOf(place, label));
      return found !== undefined && found.ok ? found.value : undefined;
    } catch (e) {
      return undefined;
    }
  }
}

function referenceOf(place: CallPlace, label: string): string {
  return `${place.batchId}:${place.position}:${label}`;
}

/** @param depth how many texts this one is inside of: a secret was taken out of JSON in a string, and goes back there as JSON */
function restored(text: string, values: ReadonlyMap<string, string>, depth: number): string {
  return JsonStrings.map(text, (value: string, name: string, isName: boolean): string => {
    const inner: string = depth < JsonStrings.MAX_NESTED && JsonStrings.mayBe(value) && Placeholder.isIn(value) ?
      restored(value, values, depth + 1) : value;
    return Placeholder.replace(inner, (label: string): string | undefined => values.get(label));
  });
}

/** A mark of which a character is written as an escape. */
function mayBeSpelled(argumentsJson: string): boolean {
  return argumentsJson.indexOf('\\u') >= 0 || argumentsJson.indexOf('\\/') >= 0;
}

function unavailable(hasVault: boolean): ArkAgentError {
  return ArkAgentError.of(ErrorCode.toolArgumentSecret, hasVault ?
    'a secret of the arguments is not available here, so the call did not run; a [secret:…] mark stands for a value that cannot be passed on' :
    'the arguments hold a secret and nothing is set up to keep it, so the call did not run');
}
