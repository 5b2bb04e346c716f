import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClaimOwner } from 'agent_core';

/** Start time of a process in ticks since boot, where the system tells; it distinguishes a process from a later one with its number. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  } catch {
    return '0';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Names this process as `pid-start-random`; another owner is alive while a process of that number and start time is. */
export class ProcessClaimOwner implements ClaimOwner {
  readonly ownerId = `${process.pid}-${startOf(process.pid)}-${randomBytes(6).toString('hex')}`;

  isAlive(ownerId: string): boolean {
    const [pid, start] = ownerId.split('-');
    return /^[1-9][0-9]*$/.test(pid) && isRunning(Number(pid)) && (start === '0' || startOf(Number(pid)) === start);
  }
}
