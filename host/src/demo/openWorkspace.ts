import { resolve } from 'node:path';
import { UsageError } from '../UsageError';
import { NodeScheduler } from '../ports/NodeScheduler';
import { WorkspaceToolSet } from '../tools/WorkspaceToolSet';

/** The flags that name a workspace, as the command line library hands them over. */
export interface WorkspaceFlags {
  lang: string;
  workspace?: string;
  allowHost?: string[];
}

/** Throws UsageError for a folder or a host that cannot be used. */
export async function openWorkspace(flags: WorkspaceFlags): Promise<WorkspaceToolSet | undefined> {
  if (flags.workspace === undefined) {
    if ((flags.allowHost ?? []).length > 0) throw new UsageError('--allow-host goes with --workspace');
    return undefined;
  }
  if (flags.workspace.trim() === '') throw new UsageError('--workspace must name a folder');
  const opened = await WorkspaceToolSet.open({ folder: resolve(flags.workspace).replaceAll('\\', '/'), scheduler: new NodeScheduler(), language: flags.lang, hosts: flags.allowHost ?? [] });
  if (!opened.ok) throw new UsageError(`--workspace and --allow-host: ${opened.error.message}`);
  return opened.value;
}
