import { AuditStep, type AuditRecord } from '@core/port/AuditSink';

/** A record with sensible parts. */
export function entry(part: Partial<AuditRecord> = {}): AuditRecord {
  return {
    sessionId: 's', runId: 'r', batchId: 'r.1', callId: 'c1', position: 0, tool: 'pay', step: AuditStep.gate, decider: 'runtime',
    decision: 'ok', code: '', timeMs: 1000, ...part,
  };
}
