import { ApprovalPolicyResult, type ToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import { ToolResult } from '@core/tool/ToolResult';
import type { ToolContext } from '@core/tool/ToolContext';

/** Everything runs unasked. */
export class AllowAll implements ToolApprovalPolicy {
  decide(): ApprovalPolicyResult {
    return ApprovalPolicyResult.allow();
  }
}

/** Lets everything that is ready run. */
export async function idle(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Calls `name {"n":1}`, `name {"n":2}` … of one message. */
export function batch(...names: string[]): ScriptedTurn {
  return names.reduce((turn, name, at) => turn.call(`c${at + 1}`, name, `{"n":${at + 1}}`), new ScriptedTurn());
}

/** A tool whose calls end when the test says so; a call is named by its argument `n`. */
export class Gate {
  /** `n` of the calls that run, in the order in which they began. */
  readonly running: number[] = [];
  readonly contexts = new Map<number, ToolContext>();
  most = 0;
  private readonly open = new Map<number, { resolve: (result: ToolResult) => void; reject: (error: Error) => void }>();

  constructor(...tools: RecordingTool[]) {
    for (const tool of tools) {
      tool.work = (args, context) => this.enter(args.getNumber('n') ?? 0, context);
    }
  }

  end(n: number, result: ToolResult = ToolResult.text(`done ${n}`)): Promise<void> {
    this.leave(n);
    this.open.get(n)?.resolve(result);
    return idle();
  }

  fail(n: number, error: Error): Promise<void> {
    this.leave(n);
    this.open.get(n)?.reject(error);
    return idle();
  }

  private leave(n: number): void {
    this.running.splice(this.running.indexOf(n), 1);
  }

  private enter(n: number, context: ToolContext): Promise<ToolResult> {
    this.running.push(n);
    this.contexts.set(n, context);
    this.most = Math.max(this.most, this.running.length);
    return new Promise<ToolResult>((resolve, reject) => this.open.set(n, { resolve, reject }));
  }
}
