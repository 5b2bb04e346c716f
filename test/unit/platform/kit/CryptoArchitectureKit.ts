import { createHash } from 'node:crypto';
import { BusinessError } from './BasicServicesKit';

export const cryptoFramework = {
  createMd(name: string) {
    if (name !== 'SHA256') throw new BusinessError(801);
    const hash = createHash('sha256');
    return {
      updateSync(input: { data: Uint8Array }): void {
        if (input.data.length === 0) throw new BusinessError(401);
        hash.update(input.data);
      },
      digestSync: () => ({ data: new Uint8Array(hash.digest()) }),
    };
  },
};
