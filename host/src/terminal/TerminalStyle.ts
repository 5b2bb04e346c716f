import { RiskColor } from '../../../entry/src/main/ets/viewmodel/RiskLabel.ets';

/** A stream that may be a terminal. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

/** Colours where they are wanted: on a terminal, unless NO_COLOR is set or the terminal is dumb. */
export class TerminalStyle {
  readonly colored: boolean;

  constructor(stream: OutputStream, environment: NodeJS.ProcessEnv) {
    const refused = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
    this.colored = stream.isTTY === true && !refused;
  }

  bold(text: string): string {
    return this.paint('1', text);
  }

  dim(text: string): string {
    return this.paint('2', text);
  }

  good(text: string): string {
    return this.paint('32', text);
  }

  bad(text: string): string {
    return this.paint('31', text);
  }

  risk(color: RiskColor, text: string): string {
    if (color === RiskColor.neutral) return text;
    return color === RiskColor.danger ? this.paint('1;31', text) : this.paint('33', text);
  }

  private paint(code: string, text: string): string {
    return this.colored ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
