import { StorageBasics } from './StorageBasics';
import { StorageCase } from './StorageCase';
import { StorageFencingCases } from './StorageFencingCases';
import { StorageIdCases } from './StorageIdCases';

/** Every case that any adapter of `StateStorage` has to pass. */
export class StorageConformance {
  static cases(): ReadonlyArray<StorageCase> {
    return StorageBasics.cases().concat(StorageFencingCases.cases(), StorageIdCases.cases());
  }
}
