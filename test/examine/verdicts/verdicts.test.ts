import { caseOf } from '../../../src/examine/cases/case.ts';
import { NO_WORDS, NOTHING_SEEN, type Observation } from '../../../src/examine/observation/observation.ts';
import { ALONE } from '../../../src/examine/situations/alone.ts';
import { judge } from '../../../src/examine/verdicts/verdicts.ts';

const ZONE = caseOf(ALONE.filter(({ id }) => id === 'zone-ahead'));
const STATE = { state: 'paid', fulfilments: 1, paidAmount: '10.00' };
const PAID = { amount: '10.00', currency: 'USD', state: 'Paid', history: [{ to: 'Paid' }] };

const judgedIn = (deliveries: readonly object[]) =>
  judge(
    ZONE,
    {
      ...NOTHING_SEEN,
      order: { amount: '10.00', currency: 'USD', channel: 'mobile-money' },
      orderId: '1',
      openState: { state: 'open', fulfilments: 0, paidAmount: '0.00' },
      finalState: STATE,
      payments: [PAID],
      requests: [],
      timelines: [],
      deliveries,
    } as unknown as Observation,
    undefined,
    NO_WORDS,
  ).map(({ invariant }) => invariant);

it('a shop that gets no notifications has no verdict on whether it accepts them', () => {
  expect(judgedIn([])).toEqual(['I4', 'I5']);
});

it('a shop that gets a notification has a verdict on whether it accepts it', () => {
  const delivery = { attempts: [{ status: 204 }], webhookBehaviour: { mode: 'normal' }, state: 'delivered' };
  expect(judgedIn([delivery])).toEqual(['I4', 'I5', 'I15']);
});
