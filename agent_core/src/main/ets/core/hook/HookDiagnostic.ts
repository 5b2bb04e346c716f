import { HookSlot } from './HookSlot';

/** What a diagnostic is about; the stored strings are stable. */
export enum HookDiagnosticCode {
  /** A throw, a time-out or an answer of a wrong class that did not end the run. */
  hookFailed = 'hook_failed',
  /** An injected message had a role other than user and system and was left out. */
  messageDropped = 'hook_message_dropped',
  /** A continueRun came after a stop and was not honoured (DEC-24). */
  continueIgnored = 'hook_continue_ignored',
  /** A stop or a message for a result that came after its call had been answered; not honoured. */
  lateIgnored = 'hook_late_ignored'
}

/** Something about a hook that its author should know and that did not change the run. Immutable. */
export class HookDiagnostic {
  /** UTF-16 code units of a message that are kept. */
  static readonly MAX_MESSAGE_CHARS: number = 500;
  readonly hookName: string;
  readonly slot: HookSlot;
  /** English, for developers, shortened; not redacted. */
  readonly message: string;
  readonly code: HookDiagnosticCode;

  constructor(hookName: string, slot: HookSlot, message: string, code: HookDiagnosticCode) {
    this.hookName = hookName;
    this.slot = slot;
    this.message = message.length > HookDiagnostic.MAX_MESSAGE_CHARS ?
      message.substring(0, HookDiagnostic.MAX_MESSAGE_CHARS) : message;
    this.code = code;
  }
}
