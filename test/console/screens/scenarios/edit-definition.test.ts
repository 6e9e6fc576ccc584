import {
  memberAt,
  rulesOf,
  withChoice,
  withMember,
  withRules,
} from '../../../../src/console/screens/scenarios/edit-definition.ts';

describe('the form of a definition', () => {
  it('changes one member at its position, and preserves members that it does not show', () => {
    const rule = { when: { operation: 'initiatePayment', channel: 'qr-wallet' }, respond: { unused: 'empty' } };
    const changed = withChoice(rule, 'when.channel', 'mobile-money');
    expect(JSON.stringify(changed)).toBe(JSON.stringify(rule).replace('qr-wallet', 'mobile-money'));
    expect(rule.when.channel).toBe('qr-wallet');
  });

  it('removes a member that is left empty, and objects that become empty', () => {
    const rule = { when: { amount: { minimum: 10, maximum: 20 } }, settle: { outcome: 'Paid', after: 'PT3S' } };
    const open = withMember(rule, 'when.amount.minimum', undefined);
    expect(open).toEqual({ when: { amount: { maximum: 20 } }, settle: rule.settle });
    expect(withMember(open, 'when.amount.maximum', undefined)).toEqual({ settle: rule.settle });
  });

  it('adds the members that the sandbox requires with a choice', () => {
    expect(withChoice({}, 'settle.outcome', 'Failed')).toEqual({ settle: { after: '3s', outcome: 'Failed' } });
    expect(withChoice({}, 'fault', 'latency')).toEqual({
      fault: { at: 'before', kind: 'latency', latency: '5s' },
    });
    expect(withChoice({ fault: { at: 'after', kind: 'latency', latency: 'PT1S' } }, 'fault', 'status')).toEqual({
      fault: { at: 'after', kind: 'status', status: 503 },
    });
  });

  it('removes the whole outcome or fault with its choice', () => {
    const rule = { settle: { outcome: 'Failed', after: 'PT3S', code: '05' }, fault: { at: 'before', kind: 'timeout' } };
    expect(withChoice(withChoice(rule, 'settle.outcome', ''), 'fault', '')).toEqual({});
  });

  it.each([[undefined], [null], ['text'], [[]], [{}], [{ rules: 'none' }]])('finds no rules in %j', (definition) => {
    expect(rulesOf(definition)).toEqual([]);
    expect(memberAt(definition, 'rules.length.of')).toBeUndefined();
  });

  it('reads a rule that is not an object as one without members', () => {
    expect(rulesOf({ rules: [{ settle: {} }, 7, null] })).toEqual([{ settle: {} }, {}, {}]);
    expect(withRules({ name: 'own', rules: [], behaviour: 'standard' }, [{}])).toEqual({
      name: 'own',
      rules: [{}],
      behaviour: 'standard',
    });
  });
});
