import { BusinessError } from './BasicServicesKit';

const held = new Map<string, Uint8Array>();
let failure: number | undefined;

function aliasOf(map: Map<number, unknown>): string {
  return Buffer.from(map.get(asset.Tag.ALIAS) as Uint8Array).toString();
}

function check(): void {
  if (failure !== undefined) throw new BusinessError(failure);
}

/** The system's asset store with the limits of its documentation. */
export const asset = {
  Tag: { SECRET: 1, ALIAS: 2, ACCESSIBILITY: 3, SYNC_TYPE: 16, CONFLICT_RESOLUTION: 68, RETURN_TYPE: 64 },
  ReturnType: { ALL: 0, ATTRIBUTES: 1 },
  Accessibility: { DEVICE_FIRST_UNLOCKED: 1 },
  SyncType: { NEVER: 0 },
  ConflictResolution: { OVERWRITE: 0, THROW_ERROR: 1 },
  async add(map: Map<number, unknown>): Promise<void> {
    check();
    const secret = map.get(asset.Tag.SECRET) as Uint8Array;
    if (secret.length < 1 || secret.length > 1024) throw new BusinessError(401);
    if (held.has(aliasOf(map)) && map.get(asset.Tag.CONFLICT_RESOLUTION) !== asset.ConflictResolution.OVERWRITE) throw new BusinessError(24000003);
    held.set(aliasOf(map), secret);
  },
  async query(map: Map<number, unknown>): Promise<Map<number, unknown>[]> {
    check();
    const secret = held.get(aliasOf(map));
    if (secret === undefined) throw new BusinessError(24000002);
    return [map.get(asset.Tag.RETURN_TYPE) === asset.ReturnType.ALL ? new Map([[asset.Tag.SECRET, secret]]) : new Map()];
  },
  async remove(map: Map<number, unknown>): Promise<void> {
    check();
    if (!held.delete(aliasOf(map))) throw new BusinessError(24000002);
  },
};

/** Makes every call fail with a number, or work again. */
export function failWith(code: number | undefined): void {
  failure = code;
}
