import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeHttpRequest } from '../platform/kit/NetworkKit';
import { board } from '../platform/kit/NotificationKit';

vi.hoisted(() => {
  // What ArkUI adds to the language: on Node the observed classes are plain ones.
  const world = globalThis as unknown as Record<string, unknown>;
  world.ObservedV2 = () => undefined;
  world.Trace = () => undefined;
  world.$r = (name: string) => ({ id: name });
});

vi.mock('agent_core', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...(await import('@platform/ApprovalNotifier')),
  ...(await import('@platform/AssetKeyStore')),
  ...(await import('@platform/OhosHttpTransport')),
  ...(await import('@platform/OhosPorts')),
}));

const { AgentHost } = await import('@entry/app/AgentHost');
const { ChatModel, ChatPhase } = await import('@entry/view/ChatModel');

/** The parts of the page's model that the tests read. */
interface Chat {
  phase: string;
  problem: string;
  notice: string;
  next: string;
  running: boolean;
  rows: { id: string; entry: { kind: string; text: string; status: string } }[];
  questions: {
    cards: { approvalId: string; sentence: string; risk: { deliberate: boolean } }[];
    sheetOpen: boolean;
    problem: string;
    approve(): Promise<void>;
    approveEdited(json: string): Promise<void>;
    deny(reason: string): Promise<void>;
    postpone(): Promise<void>;
    show(id: string): boolean;
  };
  host: {
    settings: { saveModel(online: boolean, url: string, model: string, loop: boolean): Promise<void> };
    secrets: { write(name: string, secret: string): Promise<unknown> };
    pause(): Promise<void>;
    goOn(): Promise<void>;
    close(): Promise<void>;
    sessionId: string;
  };
  open(): Promise<void>;
  close(): void;
  send(text: string): Promise<void>;
  stop(): Promise<void>;
  resume(): Promise<void>;
  tryAgain(): Promise<void>;
  showQuestion(id: string): void;
  startNewSession(): Promise<void>;
}

describe('the chat of the entry app on stand-ins for the kits', () => {
  let filesDir = '';

  beforeEach(() => {
    filesDir = mkdtempSync(join(tmpdir(), 'entry-'));
    board.shown.clear();
    board.refused = false;
  });
  afterEach(() => rmSync(filesDir, { recursive: true, force: true }));

  /** A start of the app: nothing of an earlier one is closed or told, as after a kill. */
  async function started(): Promise<Chat> {
    const context = {
      filesDir,
      abilityInfo: { bundleName: 'com.example.arkagent' },
      resourceManager: { getStringSync: (id: string) => id },
    };
    const chat: Chat = new ChatModel(new AgentHost(context, 'EntryAbility'));
    await chat.open();
    return chat;
  }

  const effects = (): string[] => (existsSync(`${filesDir}/baking/effects.log`) ? readFileSync(`${filesDir}/baking/effects.log`, 'utf8').trim().split('\n') : []);
  const cached = (): string[] => readdirSync(`${filesDir}/baking/cache`);
  const texts = (chat: Chat): string[] => chat.rows.map((row) => `${row.entry.kind}: ${row.entry.text}`);

  it('starts empty and says that it is offline', async () => {
    const chat = await started();
    expect(chat.phase).toBe(ChatPhase.ready);
    expect(chat.rows).toEqual([]);
    expect(chat.notice).toBe('Offline: the built-in model answers.');
    expect(cached()).toHaveLength(3);
  });

  it('EXE-14 runs a call with a secret in its arguments, which waits outside of the session files', async () => {
    const key = 'sk-abcdEFGH1234ijklMNOP5678qrst';
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.questions.approveEdited(`{"confirm":"${key}"}`);
    const stored = (): string => readdirSync(filesDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => readFileSync(join(one.parentPath, one.name), 'utf8')).join();
    await vi.waitFor(() => expect(stored()).toContain('confirm must be'));
    const state = stored();
    expect(state).not.toContain('tool_argument_secret');
    expect(state).toContain('[secret:api-key:1]');
    expect(state).not.toContain(key);
  });

  it('asks, waits over a kill, shows the same question, and deletes once after the yes', async () => {
    const before = await started();
    await before.send('Clear the baking cache');
    expect(before.questions.sheetOpen).toBe(true);
    expect(before.questions.cards.map((card) => card.sentence)).toEqual(['Delete 3 cached baking records?']);
    expect(before.questions.cards[0].risk.deliberate).toBe(true);
    expect(cached()).toHaveLength(3);
    before.close();

    const after = await started();
    expect(texts(after).at(-1)).toMatch(/^restored: Continued from .*; one question is waiting\.$/);
    expect(after.questions.sheetOpen).toBe(true);
    expect(after.questions.cards[0].approvalId).toBe(before.questions.cards[0].approvalId);
    await after.questions.approve();
    await expect.poll(() => after.running || after.rows.at(-1)?.entry.kind !== 'ending', { timeout: 8000 }).toBe(false);
    expect(cached()).toEqual([]);
    expect(effects()).toHaveLength(1);
    expect(after.questions.sheetOpen).toBe(false);
    expect(after.questions.cards).toEqual([]);
    expect(texts(after).filter((line) => line.startsWith('decision'))).toHaveLength(1);
  });

  it('denies with a reason and deletes nothing', async () => {
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.questions.deny('  not today ');
    await expect.poll(() => chat.running || chat.rows.at(-1)?.entry.kind !== 'ending', { timeout: 8000 }).toBe(false);
    expect(cached()).toHaveLength(3);
    expect(effects()).toEqual([]);
    expect(texts(chat).find((line) => line.startsWith('decision'))).toContain('not today');
  });

  it('keeps the question open when an edit is refused, and says why', async () => {
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.questions.approveEdited('{"confirm": 7}');
    expect(chat.questions.problem).toContain('The question is still open.');
    expect(chat.questions.cards).toHaveLength(1);
    expect(cached()).toHaveLength(3);
  });

  it('refuses input while a question is open, in words, and keeps the question', async () => {
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.questions.postpone();
    expect(chat.questions.sheetOpen).toBe(false);
    await chat.send('something else');
    expect(texts(chat).at(-1)).toBe('ending: A question is open: answer it first. Answer the open question.');
    expect(chat.next).toBe('answer');
    expect(chat.questions.cards).toHaveLength(1);
  });

  it('leaves a notification that names the tool only, and takes it back', async () => {
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.host.pause();
    const [request] = [...board.shown.values()] as Record<string, any>[];
    const want = request.wantAgent.wants[0];
    expect(request.content.normal.text).toBe('Clear the baking cache');
    expect(want.parameters).toEqual({ 'arkagent.approvalId': chat.questions.cards[0].approvalId });
    expect(request.wantAgent.requestCode).toBe(request.id);
    await chat.host.goOn();
    expect(board.shown.size).toBe(0);
    board.refused = true;
    await chat.host.pause();
    expect(board.shown.size).toBe(0);
  });

  it('shows the question that a notification names and says so when it is gone', async () => {
    const chat = await started();
    await chat.send('Clear the baking cache');
    await chat.questions.postpone();
    chat.showQuestion(chat.questions.cards[0].approvalId);
    expect(chat.questions.sheetOpen).toBe(true);
    chat.showQuestion('made-up:0:0');
    expect(chat.notice).toBe('This question is no longer open.');
  });

  it('stops in the background and goes on in the foreground', async () => {
    const chat = await started();
    const run = chat.send('How was the baguette?');
    await expect.poll(() => chat.rows.some((row) => row.entry.kind === 'model')).toBe(true);
    await chat.host.pause();
    await run;
    expect(chat.running).toBe(false);
    await chat.host.goOn();
    expect(chat.rows.at(-1)?.entry.kind).toBe('ending');
    expect(chat.next).toBe('nothing');
  });

  it('waits for the person after a kill in the background', async () => {
    const before = await started();
    const run = before.send('How was the baguette?');
    await expect.poll(() => before.rows.some((row) => row.entry.kind === 'model')).toBe(true);
    await before.host.pause();
    await run;
    before.close();
    const after = await started();
    expect(after.next).toBe('resume');
    expect(after.running).toBe(false);
    await after.resume();
    expect(after.rows.at(-1)?.entry.kind).toBe('ending');
  });

  it('stops on request and says so', async () => {
    const chat = await started();
    const run = chat.send('How was the baguette?');
    await expect.poll(() => chat.running).toBe(true);
    await chat.stop();
    await run;
    expect(texts(chat).slice(-2)[0]).toBe('ending: Stopping…');
    expect(chat.running).toBe(false);
  });

  describe('with an online model', () => {
    async function online(): Promise<Chat> {
      const chat = await started();
      await chat.host.settings.saveModel(true, 'https://model.example.com/v1', 'small', true);
      await chat.open();
      return chat;
    }

    async function requested(): Promise<FakeHttpRequest> {
      await expect.poll(() => FakeHttpRequest.made.length).toBeGreaterThan(0);
      return FakeHttpRequest.made.at(-1)!;
    }

    const bytes = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text)).buffer;

    beforeEach(() => void (FakeHttpRequest.made.length = 0));

    it('says that the key is missing, and stops saying it when there is one', async () => {
      const chat = await online();
      expect(chat.notice).toContain('No key');
      await chat.host.secrets.write('model', 'hush-hush');
      await chat.open();
      expect(chat.notice).toBe('');
    });

    it('streams the answer of the address in the settings, with the key from the asset store', async () => {
      const chat = await online();
      await chat.host.secrets.write('model', 'hush-hush');
      const run = chat.send('hello');
      const request = await requested();
      expect(request.url).toBe('https://model.example.com/v1/chat/completions');
      expect(JSON.stringify(request.options.header)).toContain('Bearer hush-hush');
      request.emit('headersReceive', { 'content-type': 'text/event-stream' });
      for (const piece of ['Guten ', 'Tag'])
        request.emit('dataReceive', bytes(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`));
      request.emit('dataReceive', bytes('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'));
      request.settle(200);
      await run;
      expect(texts(chat)).toContain('model: Guten Tag');
      const stored = readdirSync(`${filesDir}/arkagent`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(stored.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join()).not.toContain('hush-hush');
    });

    it('leads to the settings when the key is refused', async () => {
      const chat = await online();
      const run = chat.send('hello');
      const request = await requested();
      request.emit('headersReceive', { 'content-type': 'application/json' });
      request.emit('dataReceive', bytes('{"error":{"message":"no such key","code":"invalid_api_key"}}'));
      request.settle(401);
      await run;
      expect(chat.next).toBe('settings');
      expect(chat.rows.at(-1)?.entry.kind).toBe('ending');
    });
  });

  it('says so when its files cannot be made, and opens after the obstacle is gone', async () => {
    writeFileSync(`${filesDir}/baking`, 'a file where a folder has to be');
    const chat = await started();
    expect(chat.phase).toBe(ChatPhase.failed);
    expect(chat.next).toBe('try_again');
    rmSync(`${filesDir}/baking`);
    await chat.tryAgain();
    expect(chat.phase).toBe(ChatPhase.ready);
  });

  it('keeps a session that cannot be read and offers a new one', async () => {
    const before = await started();
    await before.send('How was the baguette?');
    await before.host.close();
    const folder = `${filesDir}/arkagent`;
    for (const name of readdirSync(folder)) if (name.endsWith('.json')) writeFileSync(`${folder}/${name}`, '{"half":');
    const after = await started();
    expect(after.phase).toBe(ChatPhase.failed);
    expect(after.problem).toContain('cannot be read');
    expect(after.next).toBe('new_session');
    await after.startNewSession();
    expect(after.phase).toBe(ChatPhase.ready);
    expect(after.host.sessionId).toBe('baking-2');
    expect(after.rows).toEqual([]);
  });
});
