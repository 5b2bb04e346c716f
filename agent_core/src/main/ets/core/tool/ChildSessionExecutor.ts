import { BaseToolExecutor } from './ToolExecutor';

/**
 * A tool whose work is a session of its own, with its own journal. Its call is `waiting` and never `started`, it is entered
 * again to follow the link, and it ends by itself soon after its signal fires, because only a child that is stored as ended
 * is let go (DEC-54).
 *
 * Contract: answers `ChildResult`; a plain `ToolResult` counts as an end without usage.
 *
 * @internal
 */
export abstract class ChildSessionExecutor extends BaseToolExecutor {
}
