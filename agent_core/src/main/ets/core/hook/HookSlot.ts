/** The ten places where a hook may be asked; the value is the name of the method. */
export enum HookSlot {
  beforeRun = 'beforeRun',
  beforeModelCall = 'beforeModelCall',
  onModelChunk = 'onModelChunk',
  afterModelCall = 'afterModelCall',
  beforeToolCall = 'beforeToolCall',
  afterToolCall = 'afterToolCall',
  onTurnCompletion = 'onTurnCompletion',
  beforePersistState = 'beforePersistState',
  afterPersistState = 'afterPersistState',
  afterRun = 'afterRun'
}
