import { readFileSync, readdirSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord, AuditSink } from '@core/port/AuditSink';
import type { LogLevel, Logger } from '@core/port/Logger';
import type { AgentConfig } from '@core/runtime/config/AgentConfig';
import { TestDigest } from '@core/testing/TestDigest';
import { ToolCallScope } from '@core/tool/ToolCallScope';
import type { ToolContext } from '@core/tool/ToolContext';
import { ToolServiceRegistry } from '@core/tool/ToolService';
import { ApprovalCardModel } from '../../../entry/src/main/ets/viewmodel/ApprovalCardModel.ets';
import { LocalTimeText } from '../../../entry/src/main/ets/viewmodel/TimeText.ets';
import { ToolCaptions } from '../../../entry/src/main/ets/viewmodel/ToolCaptions.ets';
import { Words } from '../../../entry/src/main/ets/viewmodel/Words.ets';
import { openFileStateStorage } from '../../../host/src/storage/openFileStateStorage';
import type { Process } from '../../support/Process';
import { World } from '../../support/World';

export class Lines implements Logger, AuditSink {
  readonly lines: string[] = [];

  log(level: LogLevel, tag: string, message: string): void {
    this.lines.push(`${level} ${tag} ${message}`);
  }

  record(record: AuditRecord): void {
    this.lines.push(JSON.stringify(record));
  }
}

/** A world on real files, whose every outlet is kept. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'arkagent-secrets-'));
  readonly world = new World({ disk: openFileStateStorage(this.folder) });
  readonly outlets = new Lines();
  readonly cards: string[] = [];

  config(more: Partial<AgentConfig> = {}): Partial<AgentConfig> {
    return {
      ports: { clock: this.world.clock, scheduler: this.world.scheduler, ids: this.world.ids, digest: new TestDigest(), logger: this.outlets },
      auditSink: this.outlets, ...more,
    };
  }

  /** What a person would see now. */
  showCards(process: Process): void {
    const batch = process.runtime.getPendingApprovalBatch();
    if (batch === undefined) return;
    const tools = { words: new Words('en'), captions: new ToolCaptions(), times: new LocalTimeText() };
    this.cards.push(...ApprovalCardModel.openOnes(batch, tools, this.world.clock.nowMs()).map((card) => JSON.stringify(card)));
  }

  /** Every byte of every file, every event, log line, audit record, card and request, as one text. */
  everything(...processes: Process[]): string {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`);
    const events = processes.flatMap((one) => [...one.log.busEvents.map(plain), ...one.log.runEvents.map(plain), ...one.log.lines]);
    const requests = processes.flatMap((one) => one.provider.requests().map((request) => plain(request.messages.toArray())));
    return [...files, ...events, ...requests, ...this.outlets.lines, ...this.cards].join('\n');
  }
}

/** Everything that is reachable from a value. */
export function plain(value: unknown): string {
  const seen = new Set<object>();
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'object' && inner !== null) {
      if (seen.has(inner)) return '(again)';
      seen.add(inner);
      if (inner instanceof Map) return [...inner];
      if (inner instanceof Error) return { ...inner, text: inner.message, stack: inner.stack };
    }
    return inner;
  }) ?? '';
}

export function scopeOf(context: ToolContext): ToolCallScope {
  return context.services.get(ToolServiceRegistry.CALL_SCOPE_ID) as ToolCallScope;
}
