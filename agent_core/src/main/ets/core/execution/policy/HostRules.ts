import { ArkAgentError } from '../../base/ArkAgentError';
import { Result } from '../../base/Result';
import { AddressRanges } from './AddressRanges';
import { HostName } from './HostName';
import { PolicyDenial } from './PolicyDenial';
import { UrlFault } from './UrlFault';

const PORT: RegExp = new RegExp('^[1-9][0-9]{0,4}$');

/** One line of a host list: `example.com`, `*.example.com` (what lies below it), `example.com:8443`, `[2606:4700::1111]`. Immutable. */
export class HostRule {
  private readonly name: string;
  private readonly below: boolean;
  /** 0: any port that is allowed at all. */
  private readonly port: number;

  private constructor(name: string, below: boolean, port: number) {
    this.name = name;
    this.below = below;
    this.port = port;
  }

  get isExact(): boolean {
    return !this.below && this.port !== 0;
  }

  /** A line that only a list of private hosts can open. */
  get isLocal(): boolean {
    const host: Result<HostName, UrlFault> = HostName.parse(this.below ? `any.${this.name}` : bracketed(this.name));
    return host.ok && (host.value.isSpecial || (host.value.address !== undefined && !AddressRanges.isPublic(host.value.address)));
  }

  matches(host: HostName, port: number): boolean {
    if (this.port !== 0 && this.port !== port) {
      return false;
    }
    return this.below ? host.address === undefined && host.text.endsWith(`.${this.name}`) : host.text === this.name;
  }

  /** @returns undefined when the line is none. */
  static parse(line: string): HostRule | undefined {
    if (typeof line !== 'string') {
      return undefined;
    }
    const below: boolean = line.startsWith('*.');
    const rest: string = below ? line.substring(2) : line;
    const mark: number = rest.indexOf(':', rest.startsWith('[') ? rest.indexOf(']') + 1 : 0);
    const digits: string = mark < 0 ? '' : rest.substring(mark + 1);
    if (mark >= 0 && (!PORT.test(digits) || Number(digits) > 65535)) {
      return undefined;
    }
    const host: Result<HostName, UrlFault> = HostName.parse(mark < 0 ? rest : rest.substring(0, mark));
    if (!host.ok || (below && host.value.address !== undefined)) {
      return undefined;
    }
    return new HostRule(host.value.text, below, mark < 0 ? 0 : Number(digits));
  }
}

function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

/** A list of host rules. Immutable. */
export class HostRules {
  private readonly rules: ReadonlyArray<HostRule>;

  private constructor(rules: ReadonlyArray<HostRule>) {
    this.rules = rules;
  }

  matches(host: HostName, port: number): boolean {
    return this.rules.some((rule: HostRule) => rule.matches(host, port));
  }

  /** @param exact each line must name one host and port. Errors: config_invalid. */
  static parse(lines: ReadonlyArray<string>, exact: boolean): Result<HostRules, ArkAgentError> {
    const rules: HostRule[] = [];
    for (const line of lines) {
      const rule: HostRule | undefined = HostRule.parse(line);
      if (rule === undefined || (exact && !rule.isExact)) {
        return Result.failure<HostRules, ArkAgentError>(PolicyDenial.config(
          `line ${rules.length + 1} of the host list must be a host${exact ? ' with a port' : ', with *. before it or a port after it'}`));
      }
      if (!exact && rule.isLocal) {
        return Result.failure<HostRules, ArkAgentError>(PolicyDenial.config(
          `line ${rules.length + 1} of the host list names a local host, which only privateHosts can open`));
      }
      rules.push(rule);
    }
    return Result.success<HostRules, ArkAgentError>(new HostRules(rules));
  }
}
