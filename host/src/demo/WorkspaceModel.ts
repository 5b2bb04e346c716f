import {
  JsonCodec, JsonObject, JsonValue, MessageRole, ScriptedProvider, ScriptedTurn, type AgentMessage, type CancellationSignal, type ModelProvider, type ModelRequest,
  type StreamObserver, type StreamingEvent,
} from 'agent_core';
import { FetchUrlTool } from '../tools/FetchUrlTool';
import { ReadTextTool } from '../tools/ReadTextTool';
import { RunReportTool } from '../tools/RunReportTool';
import type { ToolWords } from '../tools/ToolWords';
import { WriteNoteTool } from '../tools/WriteNoteTool';

interface Wish {
  readonly tool: string;
  readonly args: JsonObject;
}

/** Understands four sentences about the workspace, in both languages; all others are for the model behind it. Offline, without randomness. */
export class WorkspaceModel implements ModelProvider {
  private readonly codec = new JsonCodec();

  constructor(private readonly inner: ModelProvider, private readonly words: ToolWords) {}

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal): void {
    const messages = request.messages.toArray();
    const start = messages.map((message) => message.role).lastIndexOf(MessageRole.user);
    const wish = wishOf(messages[start]?.text() ?? '');
    if (wish === undefined) {
      this.inner.stream(request, observer, signal);
      return;
    }
    ScriptedProvider.answering(() => this.turn(wish, messages.slice(start + 1))).stream(request, observer, signal);
  }

  private turn(wish: Wish, since: readonly AgentMessage[]): ScriptedTurn {
    const answer = since.find((message) => message.role === MessageRole.tool);
    if (answer !== undefined) return ScriptedTurn.text(answer.isError ? this.words.failed(answer.text()) : answer.text());
    return ScriptedTurn.call('call_1', wish.tool, this.codec.stringify(JsonValue.object(wish.args)).value);
  }
}

function wishOf(text: string): Wish | undefined {
  const said = text.trim();
  const read = /^(?:read\s+|读取?\s*)(.+)$/is.exec(said);
  if (read !== null) return { tool: ReadTextTool.NAME, args: new JsonObject().setString('file', read[1]!) };
  const note = /^(?:note\s+|笔记\s*)([^:：]+)[:：]\s*(.+)$/is.exec(said);
  if (note !== null) return { tool: WriteNoteTool.NAME, args: new JsonObject().setString('file', note[1]!.trim()).setString('text', note[2]!) };
  const report = /^(?:report(?:\s+(.+))?|报告\s*(.*))$/is.exec(said);
  if (report !== null) return { tool: RunReportTool.NAME, args: (report[1] ?? report[2] ?? '') === '' ? new JsonObject() : new JsonObject().setString('folder', (report[1] ?? report[2])!) };
  const fetched = /^(?:fetch\s+|获取\s*)(\S+)$/i.exec(said);
  return fetched === null ? undefined : { tool: FetchUrlTool.NAME, args: new JsonObject().setString('url', fetched[1]!) };
}
