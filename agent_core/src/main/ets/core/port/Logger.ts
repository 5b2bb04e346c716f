export enum LogLevel {
  debug = 'debug',
  info = 'info',
  warn = 'warn',
  error = 'error'
}

/**
 * Diagnostics for developers.
 *
 * Contract: must not throw and must not block. Callers pass ids, codes and lengths, never argument values, texts or secrets.
 */
export interface Logger {
  log(level: LogLevel, tag: string, message: string): void;
}

/** Drops everything. */
export class SilentLogger implements Logger {
  log(level: LogLevel, tag: string, message: string): void {
  }
}
