import { ToolCall } from '../../message/ToolCall';

/** Sees to it that the calls of one answer have ids that are not empty and unique, and indexes that are their positions (DEC-47). */
export class CallIds {
  /** @param prefix makes ids for calls that came without one */
  static unique(calls: ReadonlyArray<ToolCall>, prefix: string): ReadonlyArray<ToolCall> {
    if (CallIds.areFine(calls)) {
      return calls;
    }
    const taken: Set<string> = new Set<string>();
    const out: ToolCall[] = [];
    for (let i: number = 0; i < calls.length; i++) {
      const wanted: string = calls[i].id === '' ? `${prefix}-${i}` : calls[i].id;
      let id: string = wanted;
      for (let n: number = 2; taken.has(id); n++) {
        id = `${wanted}#${n}`;
      }
      taken.add(id);
      out.push(new ToolCall(id, calls[i].name, calls[i].argumentsJson, i));
    }
    return out;
  }

  private static areFine(calls: ReadonlyArray<ToolCall>): boolean {
    if (calls.length === 1) {
      return calls[0].id !== '' && calls[0].index === 0;
    }
    const seen: Set<string> = new Set<string>();
    for (let i: number = 0; i < calls.length; i++) {
      if (calls[i].id === '' || calls[i].index !== i || seen.has(calls[i].id)) {
        return false;
      }
      seen.add(calls[i].id);
    }
    return true;
  }
}
