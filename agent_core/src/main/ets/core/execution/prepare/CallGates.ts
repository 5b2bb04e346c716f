import { ArkAgentError, ArkAgentErrorOptions } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { JsonCodec } from '../../json/JsonCodec';
import { JsonObject } from '../../json/JsonObject';
import { JsonValue } from '../../json/JsonValue';
import { ToolCall } from '../../message/ToolCall';
import { PipelineToken } from '../../tool/PipelineToken';
import { RegisteredTool } from '../../tool/RegisteredTool';
import { ToolRegistration, ToolRegistry } from '../../tool/ToolRegistry';
import { UnknownArgumentPolicy } from '../../tool/UnknownArgumentPolicy';

/** A call that passed the gates: its tool and the arguments that the tool may get. */
export class GatedCall {
  readonly tool: RegisteredTool;
  readonly args: JsonObject;

  constructor(tool: RegisteredTool, args: JsonObject) {
    this.tool = tool;
    this.args = args;
  }
}

/** Gates 1 to 3: is there such a tool, do the arguments parse, do they fit the schema. No side effects. */
export class CallGates {
  private readonly registry: ToolRegistry;
  private readonly maxArgumentChars: number;
  private readonly codec: JsonCodec = new JsonCodec();
  private readonly token: PipelineToken = new PipelineToken('gates');

  /** @param maxArgumentChars UTF-16 code units */
  constructor(registry: ToolRegistry, maxArgumentChars: number) {
    this.registry = registry;
    this.maxArgumentChars = maxArgumentChars;
  }

  /** Registers one of the runtime's own tools, whose risk and effect may differ (DEC-54). */
  static admit(registry: ToolRegistry, registration: ToolRegistration): Result<boolean, ArkAgentError> {
    return registry.registerInternal(registration, new PipelineToken('registration'));
  }

  /** The registered tool of a name; undefined when there is none. */
  find(name: string): RegisteredTool | undefined {
    return this.registry.resolve(name, this.token);
  }

  /**
   * @param visible names that the model saw; undefined when every registered tool counts as visible
   * Errors: tool_not_found, tool_not_visible, tool_arguments_too_large, json_*, tool_argument_*.
   */
  check(call: ToolCall, visible: ReadonlySet<string> | undefined): Result<GatedCall, ArkAgentError> {
    const tool: RegisteredTool | undefined = this.find(call.name);
    if (tool === undefined) {
      return refused(ErrorCode.toolNotFound, `Tool not found: ${shortName(call.name)}`);
    }
    if (visible !== undefined && !visible.has(call.name)) {
      return refused(ErrorCode.toolNotVisible, `Tool not available now: ${shortName(call.name)}`);
    }
    const args: Result<JsonObject, ArkAgentError> = this.parse(call.argumentsJson);
    if (!args.ok) {
      return args.recast<GatedCall>();
    }
    const checked: Result<JsonObject, ArkAgentError> = tool.validate(args.value, this.registry.unknownArguments);
    if (!checked.ok) {
      return checked.recast<GatedCall>();
    }
    return Result.success<GatedCall, ArkAgentError>(new GatedCall(tool, checked.value));
  }

  /** Arguments that passed the gates in another spelling: parsed and stripped, not checked again. Errors: json_*. */
  settled(tool: RegisteredTool, argumentsJson: string): Result<JsonObject, ArkAgentError> {
    const args: Result<JsonObject, ArkAgentError> = this.codec.parseObject(argumentsJson);
    const strips: boolean = this.registry.unknownArguments === UnknownArgumentPolicy.strip;
    return args.ok && strips ? Result.success<JsonObject, ArkAgentError>(tool.schema.withoutUnknown(args.value)) : args;
  }

  /**
   * The canonical text of the arguments, which binds what would run to what is shown, for a call that freezes or has an effect
   * (DEC-53). Errors: json_number_unsafe for a number that would be rounded, json_syntax for text without a canonical form.
   */
  bindable(argumentsJson: string, args: JsonObject): Result<string, ArkAgentError> {
    if (argumentsJson !== '' && this.codec.hasUnsafeInteger(argumentsJson)) {
      return Result.failure<string, ArkAgentError>(ArkAgentError.of(ErrorCode.jsonNumberUnsafe,
        'a number is too large to be shown and run exactly; send it as a string'));
    }
    return this.codec.canonicalize(JsonValue.object(args));
  }

  private parse(text: string): Result<JsonObject, ArkAgentError> {
    if (text.length > this.maxArgumentChars) {
      return Result.failure<JsonObject, ArkAgentError>(ArkAgentError.of(ErrorCode.toolArgumentsTooLarge,
        `arguments have ${text.length} characters, at most ${this.maxArgumentChars} are accepted`));
    }
    if (text === '') {
      return Result.success<JsonObject, ArkAgentError>(new JsonObject());
    }
    return this.codec.parseObject(text);
  }
}

function refused(code: ErrorCode, message: string, options?: ArkAgentErrorOptions): Result<GatedCall, ArkAgentError> {
  return Result.failure<GatedCall, ArkAgentError>(ArkAgentError.of(code, message, options));
}

/** A model may send anything as a name; a message shows at most the length of a legal one. */
function shortName(name: string): string {
  return name.length <= 64 ? name : `${name.substring(0, 64)}…`;
}
