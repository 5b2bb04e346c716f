import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentPorts } from '@core/runtime/config/AgentConfig';
import { StateStorage } from '@core/state/StateStorage';
import { StorageFactory } from '@core/testing/storage/StorageCase';
import { StorageConformance } from '@core/testing/storage/StorageConformance';
import { describe, it } from 'vitest';
import { trouble } from './kit/CoreFileKit';
import { OhosDigest } from '@platform/OhosDigest';
import { OhosIdGenerator } from '@platform/OhosIdGenerator';
import { OhosPorts } from '@platform/OhosPorts';
import { OhosScheduler } from '@platform/OhosScheduler';

function over(bytesPerCall: number): StorageFactory {
  return {
    create: () => {
      trouble.bytesPerCall = bytesPerCall;
      const filesDir = mkdtempSync(join(tmpdir(), 'ohos-state-'));
      const ports = { ids: new OhosIdGenerator(), digest: new OhosDigest(), scheduler: new OhosScheduler() } as unknown as AgentPorts;
      return Promise.resolve({
        open: (): StateStorage => OhosPorts.stateStorage(filesDir, ports) as StateStorage,
        dispose: () => Promise.resolve(rmSync(filesDir, { recursive: true, force: true })),
      });
    },
  };
}

describe('the device storage on a stand-in for the file kit', () => {
  for (const one of StorageConformance.cases()) it(`STA-03 ${one.name}`, () => one.run(over(Number.MAX_SAFE_INTEGER)));
});

describe('the device storage on a file kit that takes and gives 4,099 bytes at a time', () => {
  for (const one of StorageConformance.cases()) it(`STA-03 ${one.name}`, () => one.run(over(4099)));
});
