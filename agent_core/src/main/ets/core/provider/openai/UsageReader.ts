import { Usage } from '../../message/Usage';
import { numberOf, WireUsage } from './WireTypes';

/** Token counts as providers report them. */
export class UsageReader {
  /** undefined when no count is given; a missing count is 0, a missing total the sum. */
  static read(raw: Object): Usage | undefined {
    const wire: WireUsage = raw as WireUsage;
    const prompt: number | undefined = numberOf(wire.prompt_tokens);
    const completion: number | undefined = numberOf(wire.completion_tokens);
    const total: number | undefined = numberOf(wire.total_tokens);
    if (prompt === undefined && completion === undefined && total === undefined) {
      return undefined;
    }
    return new Usage(prompt ?? 0, completion ?? 0, total ?? (prompt ?? 0) + (completion ?? 0));
  }
}
