import { describe, it } from 'vitest';
import { StorageConformance } from '@core/testing/storage/StorageConformance';
import type { StorageFactory } from '@core/testing/storage/StorageCase';
import { memoryStorage, storageOnDisk, storageOnMemoryDisk } from './support';

const ADAPTERS: ReadonlyMap<string, StorageFactory> = new Map<string, StorageFactory>([
  ['memory', memoryStorage],
  ['file, disk in memory, one log', storageOnMemoryDisk(256 * 1024)],
  ['file, disk in memory, folding at every commit', storageOnMemoryDisk(0)],
  ['file, real disk', storageOnDisk(256 * 1024, false)],
  ['file, real disk, folding at every commit', storageOnDisk(0, false)],
]);

for (const [adapter, factory] of ADAPTERS) {
  describe(adapter, () => {
    for (const one of StorageConformance.cases()) it(one.name.startsWith('STA-') ? one.name : `STA-03 ${one.name}`, () => one.run(factory));
  });
}
