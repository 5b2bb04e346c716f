import { createServer, type Server } from 'node:http';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoCli, jsonLines } from './demoCli';

let cli: DemoCli;
beforeAll(() => {
  cli = new DemoCli();
}, 120_000);
afterAll(() => cli.dispose());

const effects = (folder: string): string[] => {
  const log = join(folder, 'effects.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
};
const cached = (folder: string): string[] => readdirSync(join(folder, 'cache'));
const ask = (folder: string, input = ''): ReturnType<DemoCli['run']> => cli.run(['demo', '--dir', folder, '--lang', 'en'], input);

describe('arkagent demo --auto', () => {
  it('APP-07 plays the whole story with real kills and keeps every promise', async () => {
    const folder = cli.folder();
    const { code, stdout } = await cli.run(['demo', '--auto', '--dir', folder, '--lang', 'en']);
    expect(stdout).toMatch(/\d+ promises checked, all kept/);
    expect(stdout).not.toContain('✗ the');
    expect(code).toBe(0);
  });

  it('does the same in Chinese and as JSON, and leaves the person\'s own session alone', async () => {
    const folder = cli.folder();
    await ask(folder);
    const before = readFileSync(join(folder, 'session', 'baking.json'), 'utf8');
    const { code, stdout } = await cli.run(['demo', '--auto', '--json', '--dir', folder, '--lang', 'zh']);
    const lines = jsonLines(stdout);
    expect(lines.filter((line) => line.type === 'check' && line['kept'] !== true)).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ type: 'summary', broken: [] });
    expect(lines.filter((line) => line.type === 'check').length).toBeGreaterThan(20);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'session', 'baking.json'), 'utf8')).toBe(before);
  });
});

describe('arkagent demo through a pipe', () => {
  it('asks, leaves the question for later, says that it was restored, and acts once after a typed yes', async () => {
    const folder = cli.folder();
    const first = await ask(folder);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('? Delete 3 cached baking records?');
    expect(first.stdout).toContain('▲ Cannot be undone');
    expect(first.stdout).toContain('Later: the question stays');
    expect(first.stdout).not.toContain('\u001b');
    expect(effects(folder)).toEqual([]);

    const hesitant = await ask(folder, 'approve\nno\n');
    expect(hesitant.stdout).toMatch(/Continued from \d\d:\d\d; one question is waiting\. \(restored from disk: /);
    expect(effects(folder)).toEqual([]);

    const second = await ask(folder, 'approve\nyes\n');
    expect(second.stdout).toContain('Clear the baking cache: approved, by you (saved in');
    expect(second.stdout).toContain('deleted 3 cached records');
    expect(cached(folder)).toEqual([]);
    expect(effects(folder)).toHaveLength(1);

    const third = await ask(folder, 'How was the brioche record?\n');
    expect(third.stdout).toContain('Continued from');
    expect(third.stdout).toContain('Here is what I found: brioche');
    expect(effects(folder)).toHaveLength(1);
  });

  it('takes a denial with its reason, and an edit beside the proposal', async () => {
    const denied = cli.folder();
    const no = await ask(denied, 'what?\ndeny keep \u0007them\n');
    expect(no.stdout).toContain('denied, by you, reason: \u2068keep \\u0007them\u2069');
    expect(no.stdout).toContain('Understood, I changed nothing');
    expect(cached(denied)).toHaveLength(3);

    const edited = cli.folder();
    const yes = await ask(edited, 'edit {"confirm":7}\nedit {"confirm":"brioche-oven-log"}\n');
    expect(yes.stdout).toContain('The edit was refused: \u2068approval_edit_rejected');
    expect(yes.stdout).toContain('approved with changes, by you');
    expect(cached(edited)).toHaveLength(2);
  });

  it('speaks Chinese when asked to, or when the environment does', async () => {
    const { stdout } = await cli.run(['demo', '--dir', cli.folder(), '--lang', 'zh']);
    expect(stdout).toContain('删除 3 条缓存的烘焙记录？');
    expect(stdout).toContain('无法撤销');
    const other = await cli.run(['demo', '--dir', cli.folder()], '', { LANG: 'zh_CN.UTF-8' });
    expect(other.stdout).toContain('稍后再说');
  });

  it('a sensitive tool asks without ceremony', async () => {
    const folder = cli.folder();
    const { stdout } = await cli.run(['demo', '--dir', folder, '--lang', 'en', '--ask', 'Note for brioche: less sugar'], 'approve\n');
    expect(stdout).toContain('△ Reversible change');
    expect(readFileSync(join(folder, 'notes', 'brioche.txt'), 'utf8')).toBe('less sugar');
  });

  it('survives a reader that leaves early', async () => {
    const child = cli.start(['demo', '--dir', cli.folder(), '--lang', 'en']);
    let errors = '';
    child.stderr!.on('data', (data) => { errors += String(data); });
    child.stdout!.destroy();
    child.stdin!.end();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(errors).toBe('');
    expect(code).toBe(0);
  });

  it('Ctrl-C while a question is open means later', async () => {
    const folder = cli.folder();
    const child = cli.start(['demo', '--dir', folder, '--lang', 'en']);
    let text = '';
    let pressed = false;
    child.stdout!.on('data', (data) => {
      text += String(data);
      if (pressed || !text.includes('later >')) return;
      pressed = child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    expect(text).toContain('Later: the question stays');
    expect((await ask(folder)).stdout).toContain('one question is waiting');
  });
});

describe('two processes at one question', () => {
  /** Lets two demos meet the open question; B answers and acts first, then A answers. */
  async function race(first: string, second: string): Promise<{ folder: string; late: ReturnType<typeof jsonLines> }> {
    const folder = cli.folder();
    const seat = async () => {
      const child = cli.start(['demo', '--json', '--dir', folder, '--lang', 'en']);
      let text = '';
      const until = (word: string): Promise<void> => new Promise((resolve) => {
        const look = (): void => { if (text.includes(word)) resolve(); };
        child.stdout!.on('data', look);
        look();
      });
      child.stdout!.on('data', (data) => { text += String(data); });
      const closed = new Promise((resolve) => child.on('close', resolve));
      await until('"question"');
      return { say: (line: string) => child.stdin!.write(`${line}\n`), until, leave: async () => { child.stdin!.end(); await closed; return jsonLines(text); } };
    };
    const a = await seat();
    const b = await seat();
    b.say(first);
    await b.until('"end"');
    a.say(second);
    const late = await a.leave();
    await b.leave();
    return { folder, late };
  }

  it('S3 the second decider learns the standing decision, and the effect happens once', async () => {
    const { folder, late } = await race('approve', 'approve');
    expect(late.filter((line) => line.type === 'decision')).toMatchObject([{ decision: 'approved', decidedBy: 'person' }]);
    expect(effects(folder)).toHaveLength(1);
  });

  it('S3 a different second decision is refused and changes nothing', async () => {
    const { folder, late } = await race('deny', 'approve');
    expect(late.filter((line) => line.type === 'refused')).toMatchObject([{ code: 'approval_batch_closed' }]);
    expect([effects(folder), cached(folder).length]).toEqual([[], 3]);
  });
});

describe('arkagent demo during a run', () => {
  it('Ctrl-C once cancels: stopping, then stopped, and the session takes new input', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const folder = cli.folder();
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const child = cli.start(['demo', '--dir', folder, '--lang', 'en', '--once', '--ask', 'hello', '--base-url', address, '--model', 'm']);
    let text = '';
    silent.once('connection', () => child.kill('SIGINT'));
    child.stdout!.on('data', (data) => { text += String(data); });
    const code = await new Promise((resolve) => child.on('close', resolve));
    silent.close();
    silent.closeAllConnections();
    expect(text).toMatch(/Stopping…[\s\S]*Stopped\. Go on with a new message\./);
    expect(code).toBe(0);
    expect((await cli.run(['demo', '--dir', folder, '--lang', 'en', '--ask', 'How is it?'])).stdout).toContain('Here is what I found');
  });
});

describe('arkagent session', () => {
  it('lists, decides and resumes without a person', async () => {
    const folder = cli.folder();
    await ask(folder);
    const listed = jsonLines((await cli.run(['session', 'list', folder, '--json'])).stdout);
    expect(listed.map((line) => line.type)).toEqual(['session', 'question']);
    const id = String(listed[1]!['approvalId']);
    expect((await cli.run(['session', 'resume', folder])).code).toBe(3);
    const decided = await cli.run(['session', 'decide', folder, '--id', id, '--approve', '--json']);
    expect(jsonLines(decided.stdout)).toEqual([{ type: 'decision', approvalId: id, decision: 'approved', allDecided: true }]);
    expect(effects(folder)).toEqual([]);
    expect((await cli.run(['session', 'decide', folder, '--id', id, '--approve'])).code).toBe(0);
    const resumed = await cli.run(['session', 'resume', folder, '--json']);
    expect(jsonLines(resumed.stdout).at(-1)).toEqual({ type: 'end', stopReason: 'complete' });
    expect(resumed.code).toBe(0);
    expect(effects(folder)).toHaveLength(1);
    const again = await cli.run(['session', 'resume', folder]);
    expect([again.code, effects(folder).length]).toEqual([1, 1]);
    expect(again.stdout + again.stderr).toContain('resume_nothing_pending');
  });

  it('lists and decides in Chinese', async () => {
    const folder = cli.folder();
    await ask(folder);
    const listed = await cli.run(['session', 'list', folder, '--lang', 'zh']);
    expect(listed.stdout).toMatch(/^baking {2}\S+ {2}可以继续\n {2}\? \S+ {2}删除 3 条缓存的烘焙记录？\n$/);
    expect((await cli.run(['session', 'decide', folder, '--deny', '--lang', 'zh'])).stdout).toMatch(/: 已拒绝\n$/);
  });

  it('removes a session for good, when it is told to twice over', async () => {
    const folder = cli.folder();
    await ask(folder);
    const unsure = await cli.run(['session', 'remove', folder]);
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await cli.run(['session', 'remove', folder, '--id', 'another', '--yes'])).code).toBe(2);
    const [before] = jsonLines((await cli.run(['session', 'list', folder, '--json'])).stdout);
    const removed = await cli.run(['session', 'remove', folder, '--yes', '--lang', 'zh']);
    expect([removed.code, removed.stdout]).toEqual([0, `已删除会话 ${String(before!['sessionId'])}\n`]);
    expect((await cli.run(['session', 'list', folder])).stdout).toBe('');
    expect((await cli.run(['session', 'remove', folder, '--yes'])).code).toBe(2);
  }, 60_000);

  it('refuses a decision about another question, and one that differs from the standing one', async () => {
    const folder = cli.folder();
    await ask(folder);
    const unknown = await cli.run(['session', 'decide', folder, '--id', 'nope', '--deny']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('approval_not_found')]);
    const denied = await cli.run(['session', 'decide', folder, '--deny', '--reason', 'no']);
    expect(denied.code).toBe(0);
    const bad = await cli.run(['session', 'decide', folder, '--approve']);
    expect([bad.code, bad.stderr.split('\n').length]).toEqual([2, 2]);
  });
});

describe('bad input ends in one line and exit code 2', () => {
  it.each([
    ['an unknown command', ['nope']],
    ['an unknown flag', ['demo', '--nope']],
    ['a language that is not spoken', ['demo', '--lang', 'de']],
    ['an empty folder name', ['demo', '--dir', '']],
    ['half an online model', ['demo', '--base-url', 'http://localhost']],
    ['the other half', ['demo', '--model', 'm']],
    ['an address of another kind', ['demo', '--base-url', 'ftp://x', '--model', 'm']],
    ['no address', ['demo', '--base-url', 'x', '--model', 'm']],
    ['a key in the address', ['demo', '--base-url', 'http://me:secret@localhost', '--model', 'm']],
    ['an online story', ['demo', '--auto', '--base-url', 'http://localhost', '--model', 'm']],
    ['an unknown death', ['demo', '--die', 'laughing']],
    ['a missing folder', ['session', 'list', '/nowhere/at/all']],
    ['no folder', ['session', 'resume']],
    ['a folder without a name', ['session', 'list', '']],
    ['no decision', ['session', 'decide', '.']],
    ['two decisions', ['session', 'decide', '.', '--approve', '--deny']],
    ['a reason for a yes', ['session', 'decide', '.', '--approve', '--reason', 'x']],
    ['a stray word', ['demo', 'now']],
    ['no recording', ['stream']],
    ['a recording that is not there', ['stream', '/nowhere/at/all']],
    ['an unknown flag of a recording', ['stream', 'x', '--nope']],
    ['a status that is none', ['stream', 'x', '--status', '7']],
    ['a language for a recording that is not spoken', ['stream', 'x', '--lang', 'de']],
  ])('%s', async (_name, args) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^error: \S/);
    expect(stderr).not.toMatch(/secret|\bat .*:\d+:\d+/);
  });

  it('a folder that is a file, and one with other people\'s files, are left alone', async () => {
    const file = join(cli.root, 'a-file');
    writeFileSync(file, 'x');
    expect((await ask(file)).code).toBe(2);
    const foreign = join(cli.root, 'foreign');
    mkdirSync(join(foreign, 'cache'), { recursive: true });
    writeFileSync(join(foreign, 'cache', 'precious.txt'), 'x');
    for (const args of [['--dir', foreign], ['--dir', foreign, '--reset'], ['--dir', foreign, '--auto']]) {
      const { code, stderr } = await cli.run(['demo', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('no demonstration folder')]);
    }
    expect(readdirSync(join(foreign, 'cache'))).toEqual(['precious.txt']);
  });

  it('a damaged session is kept and named: exit code 4; --reset starts anew and still keeps it', async () => {
    const folder = cli.folder();
    await ask(folder);
    writeFileSync(join(folder, 'session', 'baking.json'), 'not a session at all');
    const keepers = (): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      .filter((one) => readFileSync(join(one.parentPath, one.name), 'utf8') === 'not a session at all').map((one) => one.name);
    for (const args of [['demo', '--dir', folder, '--lang', 'en'], ['demo', '--dir', folder, '--json'], ['session', 'resume', folder]]) {
      const { code, stdout, stderr } = await cli.run(args);
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('state_corrupt');
      expect(keepers()).toHaveLength(1);
      expect(stderr).toContain(keepers()[0]);
    }
    const listed = await cli.run(['session', 'list', folder]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('not resumable')]);
    const anew = await cli.run(['demo', '--dir', folder, '--reset', '--lang', 'en']);
    expect([anew.code, anew.stdout.includes('Delete 3 cached')]).toEqual([0, true]);
    expect(keepers()).toHaveLength(1);
  });

  it.each([
    ['of a newer version', (file: string): void => writeFileSync(file, readFileSync(file, 'utf8').replace('"schemaVersion":2', '"schemaVersion":99'))],
    ['that broke and was not looked at since', (file: string): void => writeFileSync(file, 'broken')],
    ['whose file is a folder', (file: string): void => { rmSync(file); mkdirSync(file); }],
  ])('--reset keeps a session %s', async (_name, spoil) => {
    const folder = cli.folder();
    await ask(folder);
    spoil(join(folder, 'session', 'baking.json'));
    const { code, stdout, stderr } = await cli.run(['demo', '--dir', folder, '--reset', '--lang', 'en']);
    expect([code, stdout.includes('Delete 3 cached')]).toEqual([0, true]);
    expect(stderr).toContain('kept-1');
    expect(readdirSync(join(folder, 'kept-1')).some((name) => name.startsWith('baking.'))).toBe(true);
  });

  it('an audit file that is a folder', async () => {
    const folder = cli.folder();
    await ask(folder);
    rmSync(join(folder, 'audit.jsonl'));
    mkdirSync(join(folder, 'audit.jsonl'));
    for (const args of [['session', folder, '--audit'], ['session', 'audit', join(folder, 'audit.jsonl')]]) {
      const { code, stdout, stderr } = await cli.run(args);
      expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [expect.stringMatching(/^error: (cannot read|no audit)/)]]);
    }
  });

  it('a folder that cannot be made', async () => {
    const { code, stderr } = await ask('/proc/nowhere/x');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: cannot (use|read) /)]);
  });

  it('help lists the exit codes and stays silent about the hidden flags', async () => {
    for (const args of [['--help'], ['demo', '--help']]) {
      const { code, stdout } = await cli.run(args);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Exit codes:')]);
      expect(stdout).toMatch(/^ {2}130 /m);
      expect(stdout).not.toContain('--die');
    }
  });

  it.each([['stream', '--help'], ['help', 'stream'], ['session', '--help'], ['session', 'decide', '--help'], ['--version']])('help is no fault: %s %s', async (...args) => {
    const { code, stdout, stderr } = await cli.run(args.filter((one) => one !== undefined));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toBe('');
  });
});

describe('arkagent demo --base-url', () => {
  let server: Server;
  const seen: { url: string; authorization: string; body: string }[] = [];
  let answers: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (data) => { body += String(data); });
      request.on('end', () => {
        seen.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body });
        const answer = answers.shift() ?? '500';
        response.writeHead(answer === '401' ? 401 : 200, { 'content-type': answer === '401' ? 'application/json' : 'text/event-stream' });
        response.end(answer === '401' ? '{"error":{"message":"bad key"}}' : answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  const sse = (delta: object, finish: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\ndata: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })}\n\ndata: [DONE]\n\n`;
  const flags = (folder: string): string[] =>
    ['demo', '--dir', folder, '--lang', 'en', '--base-url', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, '--model', 'm-1'];

  it('plays the same conversation with the key from the environment, which reaches no file and no line', async () => {
    const folder = cli.folder();
    answers = [
      sse({ role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'clear_baking_cache', arguments: '{"confirm":"yes"}' } }] }, 'tool_calls'),
      sse({ role: 'assistant', content: 'All gone.' }, 'stop'),
    ];
    const { code, stdout, stderr } = await cli.run(flags(folder), 'approve yes\n', { ARKAGENT_API_KEY: 'sk-secret-1' });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Assistant: All gone.');
    expect(stdout).not.toContain('built-in model');
    expect(effects(folder)).toHaveLength(1);
    expect(seen.map((one) => [one.url, one.authorization])).toEqual([1, 2].map(() => ['/v1/chat/completions', 'Bearer sk-secret-1']));
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ model: 'm-1', stream: true });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const one of files) expect(readFileSync(join(one.parentPath, one.name), 'utf8')).not.toContain('sk-secret-1');
    expect(stdout).not.toContain('sk-secret-1');
  });

  it('session resume goes on with the model that is named, and with the offline one where none is', async () => {
    for (const online of [true, false]) {
      const folder = cli.folder();
      answers = [sse({ role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'clear_baking_cache', arguments: '{"confirm":"yes"}' } }] }, 'tool_calls'), sse({ role: 'assistant', content: 'All gone, says the service.' }, 'stop')];
      expect((await cli.run(flags(folder), 'later\n', { ARKAGENT_API_KEY: 'k' })).code).toBe(0);
      expect((await cli.run(['session', 'decide', folder, '--approve'])).code).toBe(0);
      const before = seen.length;
      const resumed = await cli.run(['session', 'resume', folder, '--lang', 'en', ...(online ? flags(folder).slice(5) : [])], '', { ARKAGENT_API_KEY: 'k' });
      expect([resumed.code, seen.length - before]).toEqual([0, online ? 1 : 0]);
      expect(resumed.stdout.includes('All gone, says the service.')).toBe(online);
      expect(effects(folder)).toHaveLength(1);
    }
    expect((await cli.run(['session', 'resume', cli.folder(), '--model', 'm'])).code).toBe(2);
  });

  it('says that the key was refused and what to do', async () => {
    answers = ['401'];
    const { code, stdout, stderr } = await cli.run([...flags(cli.folder()), '--once'], '', { ARKAGENT_API_KEY: '' });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('The model service refused the key. Check the model settings. (provider_auth');
  });

  it('says that nobody answers', async () => {
    const { code, stdout } = await cli.run(['demo', '--dir', cli.folder(), '--lang', 'en', '--once', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm']);
    expect(code).toBe(1);
    expect(stdout).toContain('The model service cannot be reached. Try again. (transport_connect');
  });
});
