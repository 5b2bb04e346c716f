import { describe, expect, it } from 'vitest';
import { ApprovalDecision, ApprovalDeciders } from '@core/approval/ApprovalModes';
import { PlanReviewDecision } from '@core/approval/PlanReview';
import { AgentController } from '@core/control/AgentController';
import { EventBus } from '@core/control/EventBus';
import { NoteEvent, RecordingHost, batchOf, item } from './support';

function bound(): { controller: AgentController; host: RecordingHost; unbind: () => void } {
  const controller = new AgentController();
  const host = new RecordingHost();
  return { controller, host, unbind: controller.bindApprovalHost(host).value };
}

/** Every object that can be reached by property names, prototypes' getters included. */
function reachable(from: unknown, seen = new Set<unknown>()): Set<unknown> {
  if ((typeof from !== 'object' && typeof from !== 'function') || from === null || seen.has(from)) return seen;
  seen.add(from);
  for (const name of Reflect.ownKeys(from)) {
    const found = Object.getOwnPropertyDescriptor(from, name);
    if (found !== undefined && 'value' in found) reachable(found.value, seen);
  }
  if (from instanceof Map) for (const [key, value] of from) { reachable(key, seen); reachable(value, seen); }
  if (from instanceof Set) for (const value of from) reachable(value, seen);
  return seen;
}

describe('AgentController', () => {
  it('CTL-01 no walk over the controller comes to the host or anything it holds', () => {
    const { controller, host } = bound();
    host.batches = [batchOf(item(0))];
    controller.subscribeAll(() => undefined);
    const seen = reachable(controller);
    for (const hidden of [host, host.secretState, host.batches, host.batches[0], host.plan]) expect(seen.has(hidden)).toBe(false);
  });

  it('CTL-01 lists are clones down to the last object', () => {
    const { controller, host } = bound();
    const batch = batchOf(item(0));
    host.batches = [batch];
    const own = reachable(batch);
    for (const list of [controller.listPendingApprovals(), controller.listPendingBatches()]) {
      const shared = Array.from(reachable(list)).filter((found) => own.has(found) && typeof found === 'object' && !String(Object.prototype.toString.call(found)).includes('Function'));
      const prototypes = new Set([Object.prototype, Array.prototype]);
      expect(shared.filter((found) => !prototypes.has(found as never))).toEqual([]);
    }
    expect(controller.listPendingBatches()).toEqual([batch]);
    const plan = controller.getPendingPlanReview();
    expect(plan).toEqual(host.plan);
    expect(plan).not.toBe(host.plan);
    expect(plan?.plan).not.toBe(host.plan?.plan);
    expect(plan?.plan.sealed).toBe(true);
  });

  it('lists only questions that wait: no decided ones, no siblings that a policy allowed', () => {
    const { controller, host } = bound();
    host.batches = [
      batchOf(item(0), item(1, ApprovalDecision.approved, ApprovalDeciders.POLICY), item(2, ApprovalDecision.denied, 'person')),
      batchOf(item(3)),
    ];
    expect(controller.listPendingApprovals().map((entry) => entry.approvalId)).toEqual(['b:0:0', 'b:3:0']);
    expect(controller.listPendingBatches()[0]?.items).toHaveLength(3);
  });

  it('CTL-02 without a host every decision fails with approval_host_missing, never retryable', async () => {
    const controller = new AgentController();
    const results = [controller.approve('x'), controller.deny('x'), controller.approveWithArguments('x', '{}'), controller.denyAll('x')];
    for (const result of await Promise.all(results)) {
      expect(result).toMatchObject({ ok: false, approvalId: 'x', decision: 'error', allDecided: false });
      expect(result.error).toMatchObject({ code: 'approval_host_missing', layer: 'runtime', retryability: 'never' });
    }
    expect(await controller.decidePlanReview(PlanReviewDecision.approve(), 'p')).toMatchObject({ ok: false, reviewId: 'p', error: { code: 'approval_host_missing' } });
    expect(controller.listPendingApprovals()).toEqual([]);
    expect(controller.listPendingBatches()).toEqual([]);
    expect(controller.getPendingPlanReview()).toBeUndefined();
  });

  it('routes each decision as one request', async () => {
    const { controller, host } = bound();
    expect(await controller.approve('1', 'ann')).toMatchObject({ ok: true, decision: 'approved' });
    expect(await controller.deny('2', 'no')).toMatchObject({ ok: true, decision: 'denied' });
    await controller.approveWithArguments('3', '{"a":1}');
    await controller.denyAll('b', 'all');
    await controller.decidePlanReview(PlanReviewDecision.revise('shorter'), 'p');
    expect(host.requests).toEqual([
      { approvalId: '1', approve: true, decidedBy: 'ann' }, { approvalId: '2', approve: false, denyReason: 'no', decidedBy: undefined },
      { approvalId: '3', approve: true, editedArgumentsJson: '{"a":1}', decidedBy: undefined },
    ]);
    expect(host.others).toEqual([['b', 'all'], ['revise', 'shorter', 'p']]);
  });

  it('binds one host at a time; unbinding frees the seat once and only its own', async () => {
    const { controller, unbind } = bound();
    const other = new RecordingHost();
    expect(controller.bindApprovalHost(other).error).toMatchObject({ code: 'approval_host_already_bound', layer: 'runtime' });
    unbind();
    expect((await controller.approve('x')).error?.code).toBe('approval_host_missing');
    const second = controller.bindApprovalHost(other);
    unbind();
    expect((await controller.approve('x')).ok).toBe(true);
    second.value();
    expect((await controller.approve('x')).ok).toBe(false);
  });

  it('a host that throws becomes a failed result', async () => {
    class BrokenHost extends RecordingHost {
      override getPendingApprovalBatches(): never { throw new Error('broken'); }
      override getPendingPlanReview(): never { throw new Error('broken'); }
      override applyApprovalDecision(): never { throw new Error('broken'); }
      override async denyAll(): Promise<never> { throw new Error('broken'); }
      override async applyPlanReviewDecision(): Promise<never> { throw new Error('broken'); }
    }
    const controller = new AgentController();
    controller.bindApprovalHost(new BrokenHost());
    for (const result of await Promise.all([controller.approve('x'), controller.denyAll('x')])) {
      expect(result).toMatchObject({ ok: false, decision: 'error', error: { code: 'internal_error', cause: { message: 'broken' } } });
    }
    expect(await controller.decidePlanReview(PlanReviewDecision.approve())).toMatchObject({ ok: false, error: { code: 'internal_error' } });
    expect(controller.listPendingApprovals()).toEqual([]);
    expect(controller.getPendingPlanReview()).toBeUndefined();
  });

  it('publishes, subscribes and requests over its bus', async () => {
    const bus = new EventBus();
    const controller = new AgentController(bus);
    const heard: string[] = [];
    controller.subscribe('note', () => heard.push('note'));
    controller.subscribeAll(() => heard.push('all'));
    controller.publish(new NoteEvent());
    bus.publish(new NoteEvent());
    expect(heard).toEqual(['note', 'all', 'note', 'all']);
    expect(controller.hasSubscribers('anything')).toBe(true);
    controller.registerRequestHandler<string, string>('echo', (text) => text);
    expect(await controller.request('echo', 'x')).toBe('x');
  });
});
