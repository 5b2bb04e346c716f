/** A session as the first release wrote it. */
export const V1 = {
  schemaVersion: 1, sessionId: 'baking-1', isRunning: false, metadata: { locale: 'zh-CN' },
  history: [
    { id: 'm1', role: 'user', contents: [{ kind: 'text', text: '查一下法棍' }], createdAtMs: 1752300000000 },
    { id: 'm2', role: 'assistant', contents: [], toolCalls: [{ id: 'call_1', name: 'read_baking_records', argumentsJson: '{"recordId":"r1"}', index: 0 }], createdAtMs: 1752300001000 },
    { id: 'm3', role: 'tool', toolCallId: 'call_1', contents: [{ kind: 'text', text: '法棍 500g' }], isError: false, createdAtMs: 1752300002000 },
  ],
  usage: { promptTokens: 120, completionTokens: 18, totalTokens: 138 },
};

/** The first release killed in the middle of a batch. */
export const V1_RUNNING = { ...V1, isRunning: true, history: V1.history.slice(0, 2) };

const CALL_1 = { id: 'call_1', name: 'read_baking_records', argumentsJson: '{"recordId":"r1"}', index: 0 };
const CALL_2 = { id: 'call_2', name: 'clear_baking_cache', argumentsJson: '{"confirm":"yes"}', index: 1 };

/** A session that waits for a person. */
export const V2_SUSPENDED = {
  schemaVersion: 2, sessionId: 'baking-1', incarnation: '5f0c-1', revision: 7, createdAtMs: 1752300000000, updatedAtMs: 1752300009000, resumable: true,
  metadata: { locale: 'zh-CN' }, usage: { promptTokens: 300, completionTokens: 41, totalTokens: 341 },
  run: { runId: 'run-2', status: 'suspended', segment: 0, turn: 1, stopReason: 'awaiting_approval' },
  history: [
    { id: 'm4', role: 'user', contents: [{ kind: 'text', text: '清空缓存' }], createdAtMs: 1752300008000 },
    { id: 'm5', role: 'assistant', contents: [], toolCalls: [CALL_1, CALL_2], createdAtMs: 1752300008500 },
  ],
  openBatch: {
    batchId: 'b-3', runId: 'run-2', assistantMessageId: 'm5', mode: 'atomic', scope: 'flagged', visibleTools: ['read_baking_records', 'clear_baking_cache'],
    calls: [
      { position: 0, status: 'allowed', attempt: 0, effective: { name: 'read_baking_records', argumentsJson: '{"recordId":"r1"}' }, definitionHash: 'v1:sha256:ab' },
      { position: 1, status: 'awaiting', attempt: 0, effective: { name: 'clear_baking_cache', argumentsJson: '{"confirm":"yes"}' }, digest: 'v1:sha256:cd', definitionHash: 'v1:sha256:ef', idempotencyKey: 'b-3:1' },
    ],
  },
  pendingApproval: {
    batchId: 'b-3', runId: 'run-2', createdAtMs: 1752300009000, modelMessageId: 'm5',
    items: [
      { approvalId: 'b-3:0:0', position: 0, round: 0, kind: 'call', toolCall: CALL_1, riskLevel: 'safe', effect: 'none', reason: 'safe tool', createdAtMs: 1752300009000, decision: 'approved', decidedBy: 'policy', decidedAtMs: 1752300009000, warnings: [], origin: [] },
      { approvalId: 'b-3:1:0', position: 1, round: 0, kind: 'call', toolCall: CALL_2, riskLevel: 'dangerous', effect: 'irreversible', reason: 'Dangerous tool "clear_baking_cache" requires confirmation', digest: 'v1:sha256:cd', createdAtMs: 1752300009000, decision: 'pending', warnings: [], origin: [] },
    ],
  },
  loopWindow: [], slices: {},
};
