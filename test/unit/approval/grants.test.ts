import { describe, expect, it } from 'vitest';
import { ApprovalDeciders } from '@core/approval/ApprovalModes';
import { ApprovalGrant, type ApprovalGrantInit, GrantScope } from '@core/approval/ApprovalGrant';
import { JsonCodec } from '@core/json/JsonCodec';
import { JsonValue } from '@core/json/JsonValue';

const codec = new JsonCodec();
const grant = (over: Partial<ApprovalGrantInit> = {}): ApprovalGrant => new ApprovalGrant({
  grantId: 'g1', toolName: 'note', scope: GrantScope.tool, definitionHash: 'v1:d', createdAtMs: 5, grantedBy: 'ada', ...over,
});
const text = (one: ApprovalGrant): string => codec.stringify(JsonValue.object(one.toJson())).value;
const read = (json: string): ApprovalGrant | undefined => ApprovalGrant.fromJson(codec.parseObject(json).value);

describe('grants', () => {
  it.each([grant(), grant({ scope: GrantScope.arguments, digest: 'v1:sha256:0', expiresAtMs: 9, remainingUses: 0 })])(
    'a grant survives its stored form', (one) => {
      expect(read(text(one))).toEqual(one);
    });

  it.each([
    ['"grantId":"g1",', ''], ['"toolName":"note",', ''], ['"definitionHash":"v1:d",', ''], ['"scope":"arguments"', '"scope":"all"'],
    [',"digest":"v1:sha256:0"', ''], ['"expiresAtMs":9', '"expiresAtMs":"never"'], ['"remainingUses":2', '"remainingUses":null'],
  ])('what is stored without a readable %s is no grant: a limit that cannot be read is not no limit', (from, to) => {
    const whole = text(grant({ scope: GrantScope.arguments, digest: 'v1:sha256:0', expiresAtMs: 9, remainingUses: 2 }));
    expect(whole).toContain(from);
    expect(read(whole.replace(from, to))).toBeUndefined();
  });

  it('is live until its time and its uses are over', () => {
    expect([grant().isLive(1e15), grant({ expiresAtMs: 9 }).isLive(8), grant({ expiresAtMs: 9 }).isLive(9), grant({ remainingUses: 0 }).isLive(0)])
      .toEqual([true, true, false, false]);
    const two = grant({ remainingUses: 2 });
    expect([two.counted(-1).remainingUses, two.counted(-9).remainingUses, two.counted(1).remainingUses, two.remainingUses]).toEqual([1, 0, 3, 2]);
    expect(grant().counted(-1).remainingUses).toBeUndefined();
  });

  it('the policy and grants are no person', () => {
    expect(['policy', ApprovalDeciders.grant('g1'), 'person', 'expiry', 'ada', 'granted', undefined].map((by) => ApprovalDeciders.isAutomatic(by)))
      .toEqual([true, true, false, false, false, false, false]);
  });
});
