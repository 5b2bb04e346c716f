import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalPolicyResult, DefaultToolApprovalPolicy } from '@core/approval/ApprovalPolicy';
import { AuthorizationResult } from '@core/approval/AuthorizationPolicy';
import { ToolPipeline } from '@core/execution/ToolPipeline';
import type { ToolPipelineParts } from '@core/execution/CallPipeline';
import { AgentHookPipeline } from '@core/hook/AgentHookPipeline';
import { ToolCallHookResult } from '@core/hook/result/ToolCallHookResult';
import { ToolDefinition } from '@core/model/ToolDefinition';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { SubAgentFeature } from '@core/subagent/SubAgentFeature';
import { ManualClock } from '@core/testing/ManualClock';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { RecordingTool } from '@core/testing/RecordingTool';
import { ToolCatalog } from '@core/tool/ToolCatalog';
import { ToolRegistry } from '@core/tool/ToolRegistry';
import { ToolSource } from '@core/tool/ToolSource';
import { DemoCli } from '../demoCli';
import { FunctionProvider, Session, call, calls, hook, json, says } from '../run/harness';

type Block = Pick<AgentConfig, 'hooks' | 'authorizationPolicy' | 'approvalPolicy'>;

const BLOCKS: [string, Block][] = [
  ['a hook that denies', { hooks: [hook('block', { beforeToolCall: async () => ToolCallHookResult.deny(undefined, 'blocked') })] }],
  ['a hook that aborts', { hooks: [hook('block', { beforeToolCall: async () => ToolCallHookResult.abort('blocked') })] }],
  ['a hook that throws', { hooks: [hook('block', { beforeToolCall: async () => { throw new Error('broken'); } })] }],
  ['an authorization policy', { authorizationPolicy: { name: 'block', authorize: async () => AuthorizationResult.reject('blocked') } }],
  ['an authorization policy that throws', { authorizationPolicy: { name: 'block', authorize: async () => { throw new Error('broken'); } } }],
  ['an approval policy', { approvalPolicy: { decide: () => ApprovalPolicyResult.deny('blocked') } }],
];

const schema = () => json({ type: 'object' });

/** One tool, brought by a source. */
const SOURCES: [string, string, (catalog: ToolCatalog, tool: RecordingTool) => void][] = [
  ['a built-in source', 'act', (catalog, tool) => void catalog.put(ToolSource.builtin(), [{ definition: new ToolDefinition('act', 'acts', schema()), executor: tool }])],
  ['an override', 'act', (catalog, tool) => {
    catalog.put(ToolSource.user(), [{ definition: new ToolDefinition('act', 'acts', schema()), executor: tool }]);
    catalog.put(ToolSource.project(), [{ definition: new ToolDefinition('act', 'acts', schema()), executor: tool }]);
  }],
  ['an MCP server that the app trusts', 'web__act', (catalog, tool) => void catalog.putMcp('web', [{ name: 'act', inputSchema: schema(), annotations: json({ readOnlyHint: true }), executor: tool }], { trustReadOnlyHint: true })],
];

function directParts(registry: ToolRegistry, block: Block): ToolPipelineParts {
  const scheduler = new ManualScheduler();
  return {
    registry, hooks: new AgentHookPipeline(block.hooks ?? [], scheduler), approvalPolicy: block.approvalPolicy ?? new DefaultToolApprovalPolicy(), clock: new ManualClock(1), scheduler,
    ...(block.authorizationPolicy === undefined ? {} : { authorizationPolicy: block.authorizationPolicy }), maxArgumentChars: 1000, grace: { cancelGraceMs: 1, timeoutGraceMs: 1 },
  };
}

describe.each(SOURCES)('a tool of %s', (_source, name, put) => {
  it.each(BLOCKS)('EXE-15 is stopped by %s: from the loop, by a direct call, and from a sub-agent', async (_block, block) => {
    const tool = new RecordingTool();
    const catalog = new ToolCatalog();
    put(catalog, tool);
    const open = await Session.open({ provider: new FunctionProvider(calls(call('c1', name)), says('end')), toolCatalog: catalog });
    await open.run();
    expect(tool.count, 'runs when nothing blocks').toBe(1);
    expect((await new ToolPipeline(directParts(catalog.registry, {})).call(name, '{}')).status).toBe('ok');
    expect(tool.count).toBe(2);

    const blocked = await Session.open({ provider: new FunctionProvider(calls(call('c1', name)), says('end')), toolCatalog: catalog, ...block });
    await blocked.run();
    expect((await new ToolPipeline(directParts(catalog.registry, block)).call(name, '{}')).status).not.toBe('ok');
    expect((await new ToolPipeline(directParts(catalog.toRegistry(), block)).call(name, '{}')).status).not.toBe('ok');
    expect(tool.count).toBe(2);
  });

  it('EXE-15 is stopped in a child session by the hook that lets only the delegation pass', async () => {
    const tool = new RecordingTool();
    const catalog = new ToolCatalog();
    put(catalog, tool);
    const run = async (hooks: AgentConfig['hooks']): Promise<void> => {
      const feature = new SubAgentFeature({});
      expect(feature.register(catalog.registry).ok).toBe(true);
      const provider = new FunctionProvider(calls(call('c1', 'delegate_task', { task: 'act' })), calls(call('c2', name)), says('child done'), says('end'));
      const session = await Session.open({ provider, toolCatalog: catalog, features: [feature], ...(hooks === undefined ? {} : { hooks }) });
      await session.finish(session.run());
      await session.runtime.close();
      catalog.registry.unregister('delegate_task');
      expect(provider.calls).toBeGreaterThan(2);
    };
    await run(undefined);
    expect(tool.count, 'runs in the child when nothing blocks').toBe(1);
    await run([hook('block', { beforeToolCall: async (context) => (context.call.name === name ? ToolCallHookResult.deny(undefined, 'blocked') : ToolCallHookResult.proceed(context.call)) })]);
    expect(tool.count).toBe(1);
  });
});

describe('the command line', () => {
  let cli: DemoCli;
  let folder: string;
  let workspace: string;
  beforeAll(() => {
    cli = new DemoCli();
    folder = cli.folder();
    workspace = join(cli.root, 'workspace');
    mkdirSync(join(workspace, 'notes'), { recursive: true });
    mkdirSync(join(cli.root, 'beyond'));
    writeFileSync(join(cli.root, 'secret.txt'), 'kept out');
    writeFileSync(join(workspace, 'a.txt'), 'plain words');
    writeFileSync(join(workspace, 'large.txt'), 'l'.repeat(30_000));
    writeFileSync(join(workspace, 'binary.txt'), new Uint8Array([0, 1, 2]));
    writeFileSync(join(workspace, 'name\u001b[2J.txt'), 'odd name');
    symlinkSync(join(cli.root, 'secret.txt'), join(workspace, 'link.txt'));
  }, 60_000);
  afterAll(() => cli.dispose());
  const ask = (text: string, input = ''): ReturnType<DemoCli['run']> => cli.run(['demo', '--dir', folder, '--lang', 'en', '--workspace', workspace, '--once', '--reset', '--ask', text], input);

  it('offers the tools on the folder that the person names, and says which are active', async () => {
    const { code, stdout, stderr } = await ask('read a.txt');
    expect(code).toBe(0);
    expect(stdout).toContain('plain words');
    expect(stderr).toContain('tools: 6 active, 0 shadowed, 0 refused');
    expect(stderr).toContain('  active read_text (project)');
    expect((await ask('read large.txt')).stdout).toContain('large.txt has 30000 bytes. Its first 2 KB:');
    expect((await ask('read binary.txt')).stdout).toContain('is no UTF-8 text');
    const report = await ask('report');
    expect(report.stdout).toContain('text files: 2, lines: 2, words: 3');
    expect(report.stdout).not.toContain('\u001b');
  });

  it('EXE-15 EXE-16 is stopped by the policy as any other way in', async () => {
    for (const text of ['read ../secret.txt', 'read link.txt', `read ${join(cli.root, 'secret.txt')}`, 'note ../made.txt: x', 'fetch http://127.0.0.1/']) {
      const { stdout } = await ask(text, 'approve\n');
      expect(stdout, text).toContain('That did not work: ');
      expect(stdout, text).not.toContain('kept out');
    }
    expect(existsSync(join(cli.root, 'made.txt'))).toBe(false);
  });

  it('EXE-15 asks before a note, and the policy looks again when the answer comes later, in another process', async () => {
    const first = await ask('note notes/b.txt: remember', 'later\n');
    expect(first.stdout).toContain('Write a note of 8 characters to the new file "notes/b.txt"?');
    expect(existsSync(join(workspace, 'notes', 'b.txt'))).toBe(false);
    const decided = await cli.run(['session', 'decide', folder, '--approve', '--workspace', workspace]);
    expect(decided.code).toBe(0);
    renameSync(join(workspace, 'notes'), join(workspace, 'notes-before'));
    symlinkSync(join(cli.root, 'beyond'), join(workspace, 'notes'));
    const resumed = await cli.run(['session', 'resume', folder, '--workspace', workspace, '--lang', 'en']);
    expect(resumed.stdout).toContain('leads outside the workspace');
    expect(existsSync(join(cli.root, 'beyond', 'b.txt'))).toBe(false);

    await ask('note c.txt: remember', 'later\n');
    await cli.run(['session', 'decide', folder, '--approve', '--workspace', workspace]);
    await cli.run(['session', 'resume', folder, '--workspace', workspace, '--lang', 'en']);
    expect(readFileSync(join(workspace, 'c.txt'), 'utf8')).toBe('remember');
  });

  it('speaks Chinese where that is asked for: titles, questions, results and the four sentences', async () => {
    const inChinese = (text: string, input = ''): ReturnType<DemoCli['run']> => cli.run(['demo', '--dir', folder, '--lang', 'zh', '--workspace', workspace, '--once', '--reset', '--ask', text], input);
    const read = await inChinese('读取 a.txt');
    expect(read.stdout).toContain('plain words');
    expect(read.stdout).toContain('读取文本文件');
    expect((await inChinese('读取 large.txt')).stdout).toContain('large.txt 有 30000 字节。前 2 KB：');
    expect((await inChinese('read none.txt')).stdout).toContain('没有成功：没有这个文件');
    expect((await inChinese('报告')).stdout).toMatch(/文本文件：\d+，行：\d+，词：\d+/);
    const note = await inChinese('笔记 zh.txt：记住', 'approve\n');
    expect(note.stdout).toContain('把 2 个字符写入新文件“zh.txt”？');
    expect(note.stdout).toContain('已将 2 个字符写入 zh.txt');
    expect(readFileSync(join(workspace, 'zh.txt'), 'utf8')).toBe('记住');
  });

  it('EXE-14 runs a call with a secret in its arguments, and shows a mark in its place', async () => {
    const key = 'sk-abcdEFGH1234ijklMNOP5678qrst';
    const note = await ask(`note key.txt: it is ${key}`, 'approve\n');
    expect(readFileSync(join(workspace, 'key.txt'), 'utf8')).toBe(`it is ${key}`);
    expect(note.stdout).toContain('[secret:api-key:1]');
    expect(note.stdout.replace(`note key.txt: it is ${key}`, '')).not.toContain(key);
  });

  it('keeps an open question and the old calls when the workspace is not named any more', async () => {
    await ask('note d.txt: remember', 'later\n');
    await cli.run(['session', 'decide', folder, '--approve']);
    const resumed = await cli.run(['session', 'resume', folder, '--lang', 'en']);
    expect(resumed.stdout).toContain('write_note: refused (tool_changed)');
    expect(existsSync(join(workspace, 'd.txt'))).toBe(false);
    const again = await cli.run(['demo', '--dir', folder, '--lang', 'en'], '');
    expect(again.stderr).toBe('');
  });

  it('refuses a folder or a host that cannot be used', async () => {
    for (const args of [['--workspace', join(cli.root, 'none')], ['--workspace', ' '], ['--workspace', join(workspace, 'a.txt')], ['--allow-host', 'example.com'], ['--workspace', workspace, '--allow-host', 'a b']]) {
      const { code, stderr } = await cli.run(['demo', '--dir', cli.folder(), '--once', '--lang', 'en', ...args]);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
