import type { CancellationSignal, NetworkTarget, Result } from 'agent_core';

/** Bounds of one request. */
export interface PageLimits {
  /** Milliseconds from the start to the last byte. */
  readonly totalMs: number;
  readonly maxBytes: number;
}

/** What a server answered. */
export interface Page {
  readonly status: number;
  /** Empty when there is none. */
  readonly location: string;
  /** As the server wrote it; empty when there is none. */
  readonly contentType: string;
  /** None when the content is no text by its type: such a body is not read. */
  readonly bytes: Uint8Array;
  /** More followed and was not read. */
  readonly cut: boolean;
}

/**
 * Gets one page.
 *
 * Contract: connects to the addresses of the target and to no other, follows nothing, sends no credentials. Failure is a Result
 * whose error is a short reason without host or address; never rejects.
 */
export interface PageSource {
  get(target: NetworkTarget, limits: PageLimits, signal: CancellationSignal): Promise<Result<Page, string>>;
}

/** Types whose content is text. A server that names none is taken at its bytes. */
export function isTextType(contentType: string): boolean {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  return type === '' || type.startsWith('text/') || /^application\/([a-z0-9.+-]+\+)?(json|xml|yaml|javascript|x-ndjson)$/.test(type);
}
