const stores = new Map<string, Map<string, unknown>>();

/** Preferences in memory, one store for each files folder, so that a restart finds them. */
export const preferences = {
  getPreferencesSync(context: { filesDir: string }, options: { name: string }) {
    const name = `${context.filesDir} ${options.name}`;
    const store = stores.get(name) ?? new Map<string, unknown>();
    stores.set(name, store);
    return {
      getSync: (key: string, otherwise: unknown): unknown => (store.has(key) ? store.get(key) : otherwise),
      putSync: (key: string, value: unknown): void => void store.set(key, value),
      flush: async (): Promise<void> => {},
    };
  },
};
