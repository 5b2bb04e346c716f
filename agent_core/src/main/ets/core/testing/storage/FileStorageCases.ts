import { FileCrashCases } from './FileCrashCases';
import { FileDamageCases } from './FileDamageCases';
import { FileDiskCases } from './FileDiskCases';
import { FileStorageCase } from './StorageCase';

/** What only a file storage has to pass, on a disk in memory. */
export class FileStorageCases {
  static cases(): ReadonlyArray<FileStorageCase> {
    return FileCrashCases.cases().concat(FileDamageCases.cases(), FileDiskCases.cases());
  }
}
