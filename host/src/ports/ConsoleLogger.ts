import { LogLevel, type Logger } from 'agent_core';

const ORDER: readonly string[] = [LogLevel.debug, LogLevel.info, LogLevel.warn, LogLevel.error];

/** Writes diagnostics to standard error, so that standard output stays a clean transcript. */
export class ConsoleLogger implements Logger {
  private readonly least: number;

  /** @param least levels below this one are dropped */
  constructor(least: LogLevel = LogLevel.warn) {
    this.least = ORDER.indexOf(least);
  }

  log(level: LogLevel, tag: string, message: string): void {
    if (ORDER.indexOf(level) >= this.least) process.stderr.write(`${level} ${tag}: ${message}\n`);
  }
}
