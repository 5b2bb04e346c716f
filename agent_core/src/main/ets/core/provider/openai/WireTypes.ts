/**
 * The members that are read from an answer, as native `JSON.parse` gives them.
 *
 * Every member may be anything: the interfaces only name it, the reader looks at its type before use.
 */
export interface WireChunk {
  object?: Object | null;
  choices?: Object | null;
  usage?: Object | null;
  x_groq?: Object | null;
  error?: Object | null;
}

export interface WireChoice {
  index?: Object | null;
  delta?: Object | null;
  message?: Object | null;
  finish_reason?: Object | null;
}

export interface WireDelta {
  content?: Object | null;
  reasoning_content?: Object | null;
  reasoning?: Object | null;
  reasoning_details?: Object | null;
  refusal?: Object | null;
  tool_calls?: Object | null;
  function_call?: Object | null;
}

export interface WirePart {
  type?: Object | null;
  text?: Object | null;
  thinking?: Object | null;
}

export interface WireToolCall {
  index?: Object | null;
  id?: Object | null;
  function?: Object | null;
  extra_content?: Object | null;
}

export interface WireFunction {
  name?: Object | null;
  arguments?: Object | null;
}

export interface WireUsage {
  prompt_tokens?: Object | null;
  completion_tokens?: Object | null;
  total_tokens?: Object | null;
}

export interface WireGroq {
  usage?: Object | null;
}

/** The members in which providers report errors. */
export interface WireErrorBody {
  object?: Object | null;
  choices?: Object | null;
  error?: Object | null;
  errors?: Object | null;
  detail?: Object | null;
  message?: Object | null;
  msg?: Object | null;
  error_msg?: Object | null;
  error_code?: Object | null;
  status_msg?: Object | null;
  code?: Object | null;
  type?: Object | null;
  status?: Object | null;
  status_code?: Object | null;
  base_resp?: Object | null;
}

/** A JSON object as such, otherwise undefined. */
export function objectOf(raw: Object | null | undefined): Object | undefined {
  return raw !== null && raw !== undefined && typeof raw === 'object' && !Array.isArray(raw) ? raw : undefined;
}

/** A JSON array as such, otherwise undefined. */
export function arrayOf(raw: Object | null | undefined): ReadonlyArray<Object | null> | undefined {
  return Array.isArray(raw) ? raw as ReadonlyArray<Object | null> : undefined;
}

/** A string that is not empty, otherwise undefined. */
export function textOf(raw: Object | null | undefined): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw as string : undefined;
}

/** A finite number, otherwise undefined. */
export function numberOf(raw: Object | null | undefined): number | undefined {
  return typeof raw === 'number' && Number.isFinite(raw as number) ? raw as number : undefined;
}

/** The JSON object in a text; undefined for every other JSON value and for no JSON. */
export function parseObject(text: string): Object | undefined {
  try {
    const parsed: Object | null = JSON.parse(text);
    return objectOf(parsed);
  } catch (e) {
    return undefined;
  }
}
