import { HttpTimeouts, HttpTransport } from '../../port/HttpTransport';
import { IdGenerator } from '../../port/IdGenerator';
import { Logger } from '../../port/Logger';
import { Scheduler } from '../../port/Scheduler';
import { TextDecoding } from '../../port/TextDecoding';
import { OpenAiDialect } from './OpenAiDialect';

/**
 * Gives the key when a request needs it; '' for a server without keys. Read it from where it is safe (asset store, environment) each time:
 * the provider keeps nothing.
 */
export type ApiKeySupplier = () => string | Promise<string>;

/** How often a refused request is sent again before the error is told. */
export interface RetryOptions {
  /** 0 sends once. */
  maxRetries: number;
  /** Milliseconds before the first retry where the provider names none; doubles each time. */
  baseDelayMs: number;
  /** A provider that asks for a longer wait is not asked again. */
  maxDelayMs: number;
}

/** What an `OpenAiCompatibleProvider` is told once; what is left out takes the default named. */
export interface OpenAiOptions {
  /** Address up to `/chat/completions`, which is added where it is missing. A query stays at the end. */
  baseUrl: string;
  apiKey?: ApiKeySupplier;
  /** Used where a request names no model. */
  model?: string;
  /** By the host of `baseUrl`. */
  dialect?: OpenAiDialect;
  /** Added to each request; names in any case. */
  headers?: ReadonlyMap<string, string>;
  /** connect 15,000, first byte 120,000, idle 60,000, total 600,000. */
  timeouts?: HttpTimeouts;
  /** 16 MiB. */
  maxResponseBytes?: number;
  /** 4 Mi characters. */
  maxEventChars?: number;
  /** 2 retries, from 500 ms, up to 20,000 ms. */
  retry?: RetryOptions;
}

/** What a provider needs from outside. */
export interface OpenAiPorts {
  transport: HttpTransport;
  /** For calls that come without id. */
  ids: IdGenerator;
  scheduler: Scheduler;
  /** The runtime's own UTF-8 where left out. */
  textDecoding?: TextDecoding;
  logger?: Logger;
}
