import fc from 'fast-check';
import {
  begin,
  CREDIT_TRANSITIONS,
  type State,
  TRANSITIONS,
  transition,
} from '../../src/domain/payments/transitions.ts';
import { Refusal } from '../../src/refusal.ts';

const states = Object.keys(TRANSITIONS) as State[];
const causes = ['merchant', 'payer', 'scenario', 'control', 'clock'] as const;

it('never leaves the table, whatever is asked for, and changes nothing where it refuses', () => {
  const changes = fc.array(fc.record({ to: fc.constantFrom(...states), cause: fc.constantFrom(...causes) }), {
    maxLength: 10,
  });
  fc.assert(
    fc.property(changes, (all) => {
      let record = {
        id: 'payment-1',
        state: 'Processing' as State,
        plannedOutcome: null,
        dueAt: 1 as number | null,
        history: begin(0, 'merchant'),
      };
      all.forEach(({ to, cause }, at) => {
        const before = structuredClone(record);
        const isAllowed = TRANSITIONS[record.state].includes(to);
        if (!isAllowed) {
          expect(() => transition(record, { to, cause, at, code: null, description: null })).toThrow(Refusal);
          expect(record).toEqual(before);
          return;
        }
        record = transition(record, { to, cause, at, code: null, description: null });
        expect(record.state).toBe(to);
        expect(record.dueAt).toBeNull();
        expect(record.history.at(-1)).toEqual({ at, from: before.state, to, cause, code: null, description: null });
        expect(record.history.slice(0, -1)).toEqual(before.history);
      });
    }),
  );
});

it('settles once: no settled state leads anywhere', () => {
  for (const state of states.filter((each) => each !== 'Processing')) {
    expect(TRANSITIONS[state]).toEqual([]);
  }
});

it('returns only those credits of a payout that were paid', () => {
  const before = Object.entries(CREDIT_TRANSITIONS).filter(([, next]) => next.includes('Returned'));
  expect(before.map(([state]) => state)).toEqual(['Paid']);
});
