import { ArkAgentError, ArkAgentErrorOptions, ErrorDetail } from '../../base/ArkAgentError';
import { ErrorCode } from '../../base/ErrorCodes';
import { Result } from '../../base/Result';
import { ModelResponse, ModelResponseInit } from '../../model/ModelResponse';
import { ReadonlyAgentState } from '../../tool/ToolContext';
import { AgentHook } from '../AgentHook';
import { AfterRunHookContext } from '../context/AfterRunHookContext';
import { ModelCallHookContext } from '../context/ModelCallHookContext';
import { ModelChunkHookContext } from '../context/ModelChunkHookContext';
import { ModelResponseHookContext } from '../context/ModelResponseHookContext';
import { ModelCallHookResult } from '../result/ModelCallHookResult';
import { ModelChunkHookResult } from '../result/ModelChunkHookResult';
import { ModelResponseHookResult } from '../result/ModelResponseHookResult';
import { WordList } from './WordList';
import { ScreenedText, WordScreen } from './WordScreen';

/** What happens when a word is found. */
export enum ForbiddenTextMode {
  /** The word becomes the replacement. */
  replace = 'replace',
  /** The run ends as aborted; nothing of the word is shown or stored. */
  abort = 'abort'
}

/** What a filter looks for; a member left out takes the default named at its line. */
export interface ForbiddenTextOptions {
  /** At least one; none blank, none above 200 UTF-16 code units. Compared letter by letter, also inside of longer words. */
  words: ReadonlyArray<string>;
  /** Default replace. */
  mode?: ForbiddenTextMode;
  /** Stands for a word; not empty, and no letter of it is in any word. Default `***`. */
  replacement?: string;
  /** Default true. Letters whose other case has another length are compared as they are. */
  ignoreCase?: boolean;
  /** Name of the hook; default forbidden-text. */
  name?: string;
}

const MAX_WORD_CHARS: number = 200;

/** The text and the reasoning of one stream. */
class StreamScreens {
  readonly text: WordScreen;
  readonly reasoning: WordScreen;

  constructor(words: WordList, replacement: string) {
    this.text = new WordScreen(words, replacement);
    this.reasoning = new WordScreen(words, replacement);
  }
}

/**
 * Keeps words of a model out of everything: the person's screen, events, logs, history and disk, also when a word comes in
 * pieces or from a hook that answers in the model's place.
 *
 * Text and reasoning are looked at one by one. What may be the beginning of a word is held back until it is clear, at most the
 * longest word less one letter. Arguments of tool calls are not text and are not changed.
 *
 * Order: the last one among the hooks with chunk rules; a hook before it that drops the final call swallows what is held back,
 * one after it may put words in again. One instance may serve several sessions.
 */
export class ForbiddenTextFilter extends AgentHook {
  private readonly words: WordList;
  private readonly mode: ForbiddenTextMode;
  private readonly replacement: string;
  /** By the state of the runtime that streams, as one session may be open twice: what is held back. */
  private readonly streams: Map<ReadonlyAgentState, StreamScreens> = new Map<ReadonlyAgentState, StreamScreens>();

  /** Use `ForbiddenTextFilter.of`. @internal */
  constructor(options: ForbiddenTextOptions) {
    super(options.name ?? 'forbidden-text');
    this.words = new WordList(options.words, options.ignoreCase ?? true);
    this.mode = options.mode ?? ForbiddenTextMode.replace;
    this.replacement = options.replacement ?? '***';
  }

  /** Errors: config_invalid, with every problem in details.problems. */
  static of(options: ForbiddenTextOptions): Result<ForbiddenTextFilter, ArkAgentError> {
    const problems: string[] = problemsOf(options);
    if (problems.length === 0) {
      return Result.success<ForbiddenTextFilter, ArkAgentError>(new ForbiddenTextFilter(options));
    }
    const details: Map<string, ErrorDetail> = new Map<string, ErrorDetail>();
    details.set('problems', problems);
    const shown: ArkAgentErrorOptions = { details: details };
    return Result.failure<ForbiddenTextFilter, ArkAgentError>(
      ArkAgentError.of(ErrorCode.configInvalid, `the filter is not usable: ${problems.join('; ')}`, shown));
  }

  /** A stream that ended early leaves what it held back; it is no part of the next answer. */
  override async beforeModelCall(context: ModelCallHookContext): Promise<ModelCallHookResult> {
    this.streams.delete(context.state);
    return ModelCallHookResult.proceed(context.request);
  }

  override async onModelChunk(context: ModelChunkHookContext): Promise<ModelChunkHookResult> {
    let screens: StreamScreens | undefined = this.streams.get(context.state);
    if (screens === undefined) {
      screens = new StreamScreens(this.words, this.replacement);
      this.streams.set(context.state, screens);
    }
    if (context.final) {
      this.streams.delete(context.state);
    }
    const text: ScreenedText = screens.text.next(context.text, context.final);
    const reasoning: ScreenedText = screens.reasoning.next(context.reasoning, context.final);
    if (this.mode === ForbiddenTextMode.abort && (text.found || reasoning.found)) {
      return ModelChunkHookResult.abort(REASON);
    }
    return ModelChunkHookResult.proceed(text.text, reasoning.text);
  }

  /** Answers of hooks, and what a hook made of an answer. */
  override async afterModelCall(context: ModelResponseHookContext): Promise<ModelResponseHookResult> {
    const response: ModelResponse = context.response;
    const screens: StreamScreens = new StreamScreens(this.words, this.replacement);
    const text: ScreenedText = screens.text.next(response.text, true);
    const reasoning: ScreenedText = screens.reasoning.next(response.reasoning, true);
    if (!text.found && !reasoning.found) {
      return ModelResponseHookResult.proceed(response);
    }
    if (this.mode === ForbiddenTextMode.abort) {
      return ModelResponseHookResult.abort(REASON);
    }
    const init: ModelResponseInit = response.toInit();
    init.text = text.text;
    init.reasoning = reasoning.text;
    // Opaque values of the provider may repeat the words.
    init.extras = undefined;
    return ModelResponseHookResult.proceed(new ModelResponse(init));
  }

  override async afterRun(context: AfterRunHookContext): Promise<void> {
    this.streams.delete(context.state);
  }
}

/** Says nothing of the word: it is shown and stored. */
const REASON: string = 'the answer holds forbidden text';

function problemsOf(options: ForbiddenTextOptions): string[] {
  const problems: string[] = [];
  if (options.words.length === 0) {
    problems.push('words is empty');
  }
  options.words.forEach((word: string, at: number): void => {
    if (word.trim() === '' || word.length > MAX_WORD_CHARS) {
      problems.push(`words[${at}] must have 1 to ${MAX_WORD_CHARS} characters and not be blank`);
    }
  });
  const replacement: string = options.replacement ?? '***';
  if (replacement === '') {
    problems.push('replacement is empty: what stands around a word could become one');
  }
  const list: WordList = new WordList([], options.ignoreCase ?? true);
  const letters: string = list.fold(replacement);
  if (options.words.some((word: string) => sharesUnit(list.fold(word), letters))) {
    problems.push('replacement has a character of a word: with what stands around it, it could become one');
  }
  return problems;
}

function sharesUnit(word: string, letters: string): boolean {
  for (let i: number = 0; i < letters.length; i++) {
    if (word.includes(letters.charAt(i))) {
      return true;
    }
  }
  return false;
}
