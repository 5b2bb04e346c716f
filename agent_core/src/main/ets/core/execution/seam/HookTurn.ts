/** Where a call that runs beside others waits before its hooks are asked: hooks are never asked in parallel. */
export interface HookTurn {
  /**
   * The executor has answered. Runs `work` when the calls before this one are through with their hooks and no other hook of
   * the batch is being asked; what `work` comes to.
   */
  take<T>(work: () => Promise<T>): Promise<T>;
}
