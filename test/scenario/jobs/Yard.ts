import { expect } from 'vitest';
import { JobFeature, type JobOptions } from '@core/job/JobFeature';
import { ToolRiskLevel } from '@core/model/ToolDefinition';
import type { ScriptedTurn } from '@core/provider/ScriptedTurn';
import type { RecordingTool } from '@core/testing/RecordingTool';
import type { ToolContract } from '@core/tool/ToolContract';
import type { Process } from '../../support/Process';
import { World, type OpenOptions } from '../../support/World';
import { AllowAll, Gate, batch, idle } from '../parallel/Bench';

/** A world with one slow tool, `build`, whose calls may become jobs. */
export interface Yard {
  world: World;
  build: RecordingTool;
  gate: Gate;
  /** Starts a process with a feature of its own. */
  open: (turns: ScriptedTurn[], options?: OpenOptions) => Promise<{ process: Process; jobs: JobFeature }>;
}

export function yard(options: { risk?: ToolRiskLevel; contract?: ToolContract; jobs?: JobOptions } = {}): Yard {
  const world = new World();
  const build = world.tool('build', options.risk ?? ToolRiskLevel.safe, { background: true, ...options.contract });
  const gate = new Gate(build);
  return {
    world, build, gate,
    open: async (turns, given) => {
      const jobs = new JobFeature(options.jobs);
      const registry = world.registry();
      expect(jobs.register(registry).ok).toBe(true);
      const process = await world.open({ turns, ...given, config: { toolRegistry: registry, features: [jobs], approvalPolicy: new AllowAll(), ...given?.config } });
      return { process, jobs };
    },
  };
}

export const line = (process: Process, start: string): string => process.history().find((text) => text.startsWith(start)) ?? '-';
export const count = (process: Process, part: string): number => process.history().filter((text) => text.includes(part)).length;

/** Runs until the first job has begun and the run has ended. */
export async function started(made: Yard, turns: ScriptedTurn[] = [], options?: OpenOptions): Promise<{ process: Process; jobs: JobFeature }> {
  const opened = await made.open([batch('build'), ...turns], options);
  const run = opened.process.say('go');
  await idle();
  made.world.scheduler.advance(10000);
  expect(await run).toBe('complete');
  return opened;
}
