import { describe, expect, it } from 'vitest';
import { JsonObject } from '@core/json/JsonObject';
import type { CancellationSignal } from '@core/base/Cancellation';
import type { StreamObserver } from '@core/base/StreamObserver';
import type { ModelProvider } from '@core/model/ModelProvider';
import type { ModelRequest } from '@core/model/ModelRequest';
import type { StreamingEvent } from '@core/model/StreamingEvent';
import { ScriptedProvider } from '@core/provider/ScriptedProvider';
import { ScriptedTurn } from '@core/provider/ScriptedTurn';
import { FileStateStorage } from '@core/state/file/FileStateStorage';
import { ManualScheduler } from '@core/testing/ManualScheduler';
import { MemoryFileSystem } from '@core/testing/storage/MemoryFileSystem';
import { TestOwner } from '@core/testing/storage/TestOwner';
import { TestDigest } from '@core/testing/TestDigest';
import type { ToolService } from '@core/tool/ToolService';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { World } from '../../support/World';

const KEY = 'provider-key-5c41';
const TOKEN = 'service-token-88d2';
const EXECUTOR = 'executor-field-1b7e';

class KeyedProvider implements ModelProvider {
  readonly apiKey = KEY;
  readonly scripted = new ScriptedProvider([new ScriptedTurn().call('c1', 'read', '{}').call('c2', 'pay', '{"n":1}')]);

  stream(request: ModelRequest, observer: StreamObserver<StreamingEvent>, signal: CancellationSignal): void {
    this.scripted.stream(request, observer, signal);
  }
}

class TokenService implements ToolService {
  readonly serviceId = 'bank';
  readonly token = TOKEN;
}

/** Every text that is on the disk. */
async function texts(fs: MemoryFileSystem): Promise<string> {
  let all = '';
  for (const name of (await fs.list('/state')).value) {
    const read = await fs.readText(`/state/${name}`);
    all += read.ok ? `${name}\n${read.value}\n` : '';
  }
  return all;
}

/** Runs to an open question on files; the tools, services and provider hold things that must not be written. */
async function frozen(): Promise<{ text: string; world: World; fs: MemoryFileSystem }> {
  const fs = new MemoryFileSystem();
  const disk = new FileStateStorage(fs, new TestDigest(), '/state', { owner: new TestOwner('p1', []), scheduler: new ManualScheduler() });
  const world = new World({ disk });
  for (const tool of [world.safe('read'), world.dangerous('pay')]) {
    Object.assign(tool, { marker: EXECUTOR, callback: () => EXECUTOR });
  }
  const services = new ToolServiceRegistry();
  services.register(new TokenService());
  const one = await world.open({ config: { provider: new KeyedProvider(), services, systemPrompt: 'be careful', metadata: new JsonObject().setString('locale', 'en') } });
  expect(await one.say('go')).toBe('awaiting_approval');
  return { text: await texts(fs), world, fs };
}

describe('APP-15 what a file of a session holds', () => {
  it('APP-15 no provider key, no service token, no executor, no callback', async () => {
    const { text } = await frozen();
    expect(text, 'the file is the one that is looked at').toContain('"pendingApproval"');
    for (const secret of [KEY, TOKEN, EXECUTOR, 'apiKey', 'marker', 'callback', 'function', '=>', 'execute', 'be careful']) {
      expect(text).not.toContain(secret);
    }
  });

  it('APP-15 a question is what the documented shape names, and nothing else', async () => {
    const { world } = await frozen();
    const state = JSON.parse(await world.storedText());
    expect(Object.keys(state.pendingApproval).sort()).toEqual(['batchId', 'createdAtMs', 'items', 'modelMessageId', 'runId']);
    const allowed = ['approvalId', 'createdAtMs', 'decidedAtMs', 'decidedBy', 'decision', 'definitionHash', 'digest', 'effect', 'kind', 'origin',
      'position', 'proposedCall', 'reason', 'riskLevel', 'round', 'toolCall', 'warnings'];
    for (const item of state.pendingApproval.items) {
      expect(Object.keys(item).filter((key) => !allowed.includes(key))).toEqual([]);
    }
  });

  it('APP-15 the flow works on files over a reload, and the file after it is clean too', async () => {
    const { world, fs } = await frozen();
    const two = await world.open();
    await two.approveAll();
    expect(await two.resume()).toBe('complete');
    const text = await texts(fs);
    for (const secret of [KEY, TOKEN, EXECUTOR]) {
      expect(text).not.toContain(secret);
    }
  });
});
