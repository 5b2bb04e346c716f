import { performance } from 'node:perf_hooks';
import { bareLoop } from './floor.mjs';
import { ChunkHook, core, open, run } from './agent.mjs';
import { line, sideBySide } from './stats.mjs';

const CHUNKS = 20000;

/** µs per streamed chunk; the model hands over each piece in a turn of its own of the microtask queue, as a network would. */
export async function measure() {
  const found = await sideBySide({ floor, plain: () => agent([]), hooked: () => agent([new ChunkHook()]) }, 15);
  return [
    line('chunk, bare loop', found.floor, 'us'),
    line('chunk, ArkAgent', found.plain, 'us'),
    line('chunk, ArkAgent with one chunk hook', found.hooked, 'us'),
  ];
}

async function floor() {
  let length = 0;
  const model = async (_, onText) => {
    let text = '';
    for (let i = 0; i < CHUNKS; i++) {
      await null;
      text += 'word ';
      onText('word ');
    }
    return { text, calls: [] };
  };
  const started = performance.now();
  await bareLoop(model, {}, 'go', (text) => { length += text.length; });
  const spent = performance.now() - started;
  if (length !== CHUNKS * 5) throw new Error('chunks were lost');
  return (spent * 1000) / CHUNKS;
}

class PacedProvider {
  stream(request, observer) {
    this.tell(observer);
  }
  async tell(observer) {
    let text = '';
    for (let i = 0; i < CHUNKS; i++) {
      await null;
      text += 'word ';
      observer.onNext(core.StreamingEvent.textDelta('word '));
    }
    observer.onNext(core.StreamingEvent.modelComplete(core.ModelResponse.text(text)));
    observer.onComplete();
  }
}

class Counter extends core.BaseObserver {
  length = 0;
  onNext(event) {
    if (event.type === core.AgentEventType.textDelta) this.length += event.text.length;
  }
}

async function agent(hooks) {
  const runtime = await open({ provider: new PacedProvider(), hooks });
  const counter = new Counter();
  const started = performance.now();
  await run(runtime, counter);
  const spent = performance.now() - started;
  if (counter.length !== CHUNKS * 5) throw new Error('chunks were lost');
  return (spent * 1000) / CHUNKS;
}
