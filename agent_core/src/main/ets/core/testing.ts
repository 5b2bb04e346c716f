/** Doubles and contract cases for tests of apps and adapters. Not part of the HAR's public surface. */
export { CountingIdGenerator } from './testing/CountingIdGenerator';
export { ManualClock } from './testing/ManualClock';
export { ManualScheduler } from './testing/ManualScheduler';
export { RecordingObserver } from './testing/RecordingObserver';
export { RecordingTool } from './testing/RecordingTool';
export type { RecordedRun, RecordedWork } from './testing/RecordingTool';
export { CommitFault, StoppingStateStorage } from './testing/StoppingStateStorage';
export type { CommitListener } from './testing/StoppingStateStorage';
export { TestDigest } from './testing/TestDigest';
export { CrashingFileSystem } from './testing/storage/CrashingFileSystem';
export type { CrashPlan } from './testing/storage/CrashingFileSystem';
export { FileStorageCases } from './testing/storage/FileStorageCases';
export { MemoryFileSystem } from './testing/storage/MemoryFileSystem';
export { SampleStates } from './testing/storage/SampleStates';
export { StorageConformance } from './testing/storage/StorageConformance';
export type { FileStorageCase, FileStorageFactory, StorageCase, StorageFactory, StorageWorld } from './testing/storage/StorageCase';
export { TestOwner } from './testing/storage/TestOwner';
