import { describe, it } from 'vitest';
import { FileStorageCases } from '@core/testing/storage/FileStorageCases';
import { onGivenDisk } from './support';

describe('file storage on a disk that fails', () => {
  for (const one of FileStorageCases.cases()) {
    it(/^(S12|STA)/.test(one.name) ? one.name : `STA-03 ${one.name}`, () => one.run(onGivenDisk));
  }
});
