import { randomUUID } from 'node:crypto';
import type { IdGenerator } from 'agent_core';

/** Random UUIDs (version 4). */
export class UuidGenerator implements IdGenerator {
  nextId(): string {
    return randomUUID();
  }
}
