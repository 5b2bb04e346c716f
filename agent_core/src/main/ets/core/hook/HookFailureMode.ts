/** What a hook's throw, time-out or answer of a wrong class means. */
export enum HookFailureMode {
  /** The run is aborted with hook_failed (default): a guard that cannot answer has not said yes. */
  failClosed = 'fail_closed',
  /** A diagnostic; the next hook goes on with the value so far. */
  failOpen = 'fail_open'
}
