/** What a hook did to a call or a result; the stored strings are stable. */
export enum HookMarkKind {
  rewrite = 'rewrite',
  warning = 'warning',
  defer = 'defer',
  deny = 'deny',
  abort = 'abort',
  inject = 'inject',
  stop = 'stop'
}

/** One thing that one hook did, for the audit: no words of the hook, which may repeat arguments. */
export interface HookMark {
  readonly hookName: string;
  readonly kind: HookMarkKind;
}
