import fc from 'fast-check';
import { Refusal } from '../../../../src/base/refusal.ts';
import {
  beginHistory,
  CREDIT_TRANSITIONS,
  changeState,
  nextStates,
  type PaymentAction,
  type PaymentState,
  TRANSITIONS,
} from '../../../../src/server/domain/payments/transitions.ts';
import { cases } from '../../../cases.ts';

const actions = Object.keys(TRANSITIONS) as PaymentAction[];
const states: PaymentState[] = [
  'Processing',
  'Paid',
  'Failed',
  'Cancelled',
  'Expired',
  'Refunded',
  'Reversed',
  'ChargedBack',
];
const causes = ['merchant', 'payer', 'scenario', 'control', 'clock'] as const;

it('transitions in any order follow the table, and a refused transition changes nothing', () => {
  const change = fc.record({
    to: fc.constantFrom(...states),
    cause: fc.constantFrom(...causes),
    action: fc.constantFrom(...actions),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 10 }), (all) => {
      let record = {
        id: 'payment-1',
        state: 'Processing' as PaymentState,
        plannedOutcome: null,
        dueAt: 1 as number | null,
        history: beginHistory(0, 'merchant'),
      };
      all.forEach(({ to, cause, action }, at) => {
        const before = structuredClone(record);
        if (!nextStates(action, record.state).includes(to)) {
          expect(() => changeState(record, { to, cause, at, code: null, description: null }, action)).toThrow(Refusal);
          expect(record).toEqual(before);
          return;
        }
        record = changeState(record, { to, cause, at, code: null, description: null }, action);
        expect(record.state).toBe(to);
        expect(record.dueAt).toBeNull();
        expect(record.history.at(-1)).toEqual({ at, from: before.state, to, cause, code: null, description: null });
        expect(record.history.slice(0, -1)).toEqual(before.history);
      });
    }),
    { numRuns: cases(100) },
  );
});

it('a decided payment is not decided again', () => {
  for (const state of states.filter((each) => each !== 'Processing')) {
    expect(nextStates('decide', state)).toEqual([]);
  }
});

it('only a failed or expired payment can be paid late', () => {
  expect(states.filter((state) => nextStates('late-success', state).length > 0)).toEqual(['Failed', 'Expired']);
});

it('only a paid payment can be adjusted', () => {
  for (const state of ['Processing', 'Failed', 'Cancelled', 'Expired'] as const) {
    for (const action of actions.filter((each) => each !== 'decide' && each !== 'late-success')) {
      expect(nextStates(action, state)).toEqual([]);
    }
  }
});

it('only paid credits of a payout can be returned', () => {
  const before = Object.entries(CREDIT_TRANSITIONS).filter(([, next]) => next.includes('Returned'));
  expect(before.map(([state]) => state)).toEqual(['Paid']);
});
