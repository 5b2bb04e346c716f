/** Bounds of a session; a member left out takes the default named at its line. */
export interface AgentLimitsInit {
  /** Model calls per run: 50. */
  maxTurns?: number;
  /** Calls in one assistant message: 16. */
  maxCallsPerBatch?: number;
  /** Calls that run at once, where neighbours in a message are all concurrency-safe: 4. 1 = one after another. */
  maxParallelCalls?: number;
  /** UTF-16 code units of one call's arguments: 200,000. */
  maxArgumentChars?: number;
  /** UTF-16 code units of result text that the calls of one message bring into the conversation: 24,000. */
  maxBatchResultChars?: number;
  /** UTF-16 code units of one input: 200,000. */
  maxInputChars?: number;
  /** UTF-16 code units of one model answer, text and reasoning: 4,000,000. */
  maxResponseChars?: number;
  /** Messages of the history before a model call is refused: 10,000. */
  maxHistoryMessages?: number;
  /** Retries that afterModelCall hooks may ask for in one run: 2. */
  maxModelRetries?: number;
  /** Milliseconds that running calls get after a cancel: 2,000. */
  cancelGraceMs?: number;
  /** Milliseconds that a call gets after its deadline: 2,000. */
  timeoutGraceMs?: number;
  /** Milliseconds until a silent authorization policy counts as a rejection: 30,000. */
  authorizationTimeoutMs?: number;
}

/** What a 32-bit timer can hold; a longer delay would fire at once. */
const MAX_TIMER_MS: number = 2147483647;

/** The bounds with every default filled in. Immutable. */
export class AgentLimits {
  readonly maxTurns: number;
  readonly maxCallsPerBatch: number;
  readonly maxParallelCalls: number;
  readonly maxArgumentChars: number;
  readonly maxBatchResultChars: number;
  readonly maxInputChars: number;
  readonly maxResponseChars: number;
  readonly maxHistoryMessages: number;
  readonly maxModelRetries: number;
  readonly cancelGraceMs: number;
  readonly timeoutGraceMs: number;
  readonly authorizationTimeoutMs: number;

  constructor(init?: AgentLimitsInit) {
    this.maxTurns = init?.maxTurns ?? 50;
    this.maxCallsPerBatch = init?.maxCallsPerBatch ?? 16;
    this.maxParallelCalls = init?.maxParallelCalls ?? 4;
    this.maxArgumentChars = init?.maxArgumentChars ?? 200000;
    this.maxBatchResultChars = init?.maxBatchResultChars ?? 24000;
    this.maxInputChars = init?.maxInputChars ?? 200000;
    this.maxResponseChars = init?.maxResponseChars ?? 4000000;
    this.maxHistoryMessages = init?.maxHistoryMessages ?? 10000;
    this.maxModelRetries = init?.maxModelRetries ?? 2;
    this.cancelGraceMs = init?.cancelGraceMs ?? 2000;
    this.timeoutGraceMs = init?.timeoutGraceMs ?? 2000;
    this.authorizationTimeoutMs = init?.authorizationTimeoutMs ?? 30000;
  }

  /** Names every member that is no whole number in its range. */
  problems(): string[] {
    const found: string[] = [];
    checkRange(found, 'maxTurns', this.maxTurns, 1);
    checkRange(found, 'maxCallsPerBatch', this.maxCallsPerBatch, 1);
    checkRange(found, 'maxParallelCalls', this.maxParallelCalls, 1);
    checkRange(found, 'maxArgumentChars', this.maxArgumentChars, 2);
    checkRange(found, 'maxBatchResultChars', this.maxBatchResultChars, 0);
    checkRange(found, 'maxInputChars', this.maxInputChars, 1);
    checkRange(found, 'maxResponseChars', this.maxResponseChars, 1);
    checkRange(found, 'maxHistoryMessages', this.maxHistoryMessages, 1);
    checkRange(found, 'maxModelRetries', this.maxModelRetries, 0);
    checkRange(found, 'cancelGraceMs', this.cancelGraceMs, 0, MAX_TIMER_MS);
    checkRange(found, 'timeoutGraceMs', this.timeoutGraceMs, 0, MAX_TIMER_MS);
    checkRange(found, 'authorizationTimeoutMs', this.authorizationTimeoutMs, 1, MAX_TIMER_MS);
    return found;
  }
}

function checkRange(problems: string[], name: string, value: number, least: number,
  most: number = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < least) {
    problems.push(`limits.${name} must be a whole number of at least ${least}`);
  } else if (value > most) {
    problems.push(`limits.${name} must be at most ${most}`);
  }
}
