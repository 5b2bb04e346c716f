/**
 * The floor: what a hand-written loop without any library does. It parses arguments, checks one required string, calls the
 * tool, appends messages and streams deltas to a callback. No gates, hooks, events, limits, cancellation, or state.
 */
export async function bareLoop(model, tools, input, onText) {
  const history = [{ role: 'user', content: input }];
  for (;;) {
    const answer = await model(history, onText);
    history.push({ role: 'assistant', content: answer.text, tool_calls: answer.calls });
    if (answer.calls.length === 0) return history;
    for (const call of answer.calls) {
      const args = JSON.parse(call.arguments);
      const tool = tools[call.name];
      if (typeof args.id !== 'string') throw new Error('bad arguments');
      history.push({ role: 'tool', tool_call_id: call.id, content: await tool(args) });
    }
  }
}
