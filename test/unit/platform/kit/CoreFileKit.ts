import * as fs from 'node:fs';
import { BusinessError } from './BasicServicesKit';

const CODES: Record<string, number> = {
  EPERM: 13900001,
  ENOENT: 13900002,
  EIO: 13900005,
  EBADF: 13900008,
  EACCES: 13900012,
  EEXIST: 13900015,
  ENOTDIR: 13900018,
  EISDIR: 13900019,
  EINVAL: 13900020,
  ENOSPC: 13900025,
  EROFS: 13900027,
  ENOTEMPTY: 13900032,
};

/** How the stand-in misbehaves: pieces as small as this, and what the next write says. */
export const trouble = { bytesPerCall: Number.MAX_SAFE_INTEGER, nextWrite: undefined as string | undefined, synced: 0 };

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw new BusinessError(CODES[(e as NodeJS.ErrnoException).code ?? ''] ?? 13900042);
  }
}

function flagsOf(mode: number): number {
  const access = mode & 3;
  return access | (mode & 0o100 ? fs.constants.O_CREAT : 0) | (mode & 0o1000 ? fs.constants.O_TRUNC : 0) | (mode & 0o2000 ? fs.constants.O_APPEND : 0);
}

/** `fileIo` over Node's files, with the differences that the platform notes name: rmdir takes everything along, no exclusive create. */
const sync = {
  OpenMode: { READ_ONLY: 0, WRITE_ONLY: 1, READ_WRITE: 2, CREATE: 0o100, TRUNC: 0o1000, APPEND: 0o2000, DIR: 0o200000 },
  openSync: (path: string, mode = 0) => guarded(() => ({ fd: fs.openSync(path, flagsOf(mode), 0o644), path: fs.realpathSync(path) })),
  closeSync: (file: { fd: number }) => guarded(() => fs.closeSync(file.fd)),
  writeSync: (fd: number, data: ArrayBuffer | string) =>
    guarded(() => {
      const failure = trouble.nextWrite;
      trouble.nextWrite = undefined;
      if (failure !== undefined) throw Object.assign(new Error(failure), { code: failure });
      const bytes = Buffer.from(data as ArrayBuffer);
      return fs.writeSync(fd, bytes, 0, Math.min(bytes.length, trouble.bytesPerCall));
    }),
  readSync: (fd: number, buffer: ArrayBuffer, options: { offset: number; length: number }) =>
    guarded(() => fs.readSync(fd, Buffer.from(buffer), 0, Math.min(options.length, trouble.bytesPerCall), options.offset)),
  fsyncSync: (fd: number) =>
    guarded(() => {
      trouble.synced++;
      fs.fsyncSync(fd);
    }),
  statSync: (path: string | number) => guarded(() => (typeof path === 'number' ? fs.fstatSync(path) : fs.statSync(path))),
  lstatSync: (path: string) => guarded(() => fs.lstatSync(path)),
  accessSync: (path: string) => fs.existsSync(path),
  renameSync: (from: string, to: string) => guarded(() => fs.renameSync(from, to)),
  unlinkSync: (path: string) => guarded(() => fs.unlinkSync(path)),
  truncateSync: (path: string, bytes: number) => guarded(() => fs.truncateSync(path, bytes)),
  listFileSync: (path: string) => guarded(() => fs.readdirSync(path)),
  rmdirSync: (path: string) => guarded(() => fs.rmSync(path, { recursive: true })),
  mkdirSync: (path: string, recursion = false) =>
    guarded(() => {
      if (fs.existsSync(path)) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
      fs.mkdirSync(path, { recursive: recursion });
    }),
};

export const fileIo = {
  ...sync,
  open: async (path: string, mode?: number) => sync.openSync(path, mode),
  write: async (fd: number, data: ArrayBuffer) => sync.writeSync(fd, data),
  read: async (fd: number, buffer: ArrayBuffer, options: { offset: number; length: number }) => sync.readSync(fd, buffer, options),
  fsync: async (fd: number) => sync.fsyncSync(fd),
  stat: async (path: string | number) => sync.statSync(path),
  lstat: async (path: string) => sync.lstatSync(path),
  access: async (path: string) => sync.accessSync(path),
  rename: async (from: string, to: string) => sync.renameSync(from, to),
  unlink: async (path: string) => sync.unlinkSync(path),
  truncate: async (path: string, bytes: number) => sync.truncateSync(path, bytes),
  listFile: async (path: string) => sync.listFileSync(path),
  mkdir: async (path: string, recursion?: boolean) => sync.mkdirSync(path, recursion),
  readText: async (path: string) => guarded(() => fs.readFileSync(path, 'utf8')),
};
