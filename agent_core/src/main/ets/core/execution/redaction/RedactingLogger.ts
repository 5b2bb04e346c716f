import { LogLevel, Logger } from '../../port/Logger';
import { Redactor } from './Redactor';

/** A log without secrets. */
export class RedactingLogger implements Logger {
  private readonly inner: Logger;
  private readonly redactor: Redactor;

  constructor(inner: Logger, redactor: Redactor) {
    this.inner = inner;
    this.redactor = redactor;
  }

  log(level: LogLevel, tag: string, message: string): void {
    this.inner.log(level, tag, this.redactor.text(message));
  }
}
