import { exampleOf, PNG } from '../interface/examples.ts';
import type { Random } from '../random.ts';
import { mutateState } from './mutated-state.ts';
import type { Answer, FetchedState, ListedRecord, PublicSession } from './public-session.ts';

const WALLETS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const AMOUNTS = ['0.01', '0.03', '1.00', '9.99', '33.33', '99.99', '1000.00'];
const SCENARIOS = [
  'payer-decides',
  'auto-approve',
  'declined',
  'chargeback',
  'settlement-mismatches',
  'settlement-report-late',
  'settlement-corrected',
  'mine',
  'expires',
];
const NOTES = ['a shirt', '#auto-approve', '#chargeback', '#declined', '#mine', '#settlement-mismatches'];
const DURATIONS = ['PT0S', 'PT1S', 'PT16M', 'P1D', 'P4D', 'P1M'];
/** One is very long, because records with distant times must be readable, too. */
const FAR_DURATIONS = [...DURATIONS, 'P1000Y'];
const INSTANTS = ['1970-01-01T00:00:00Z', '2026-03-01T10:00:00Z', '2026-03-31T21:59:59Z', '6999-12-31T23:59:59.999Z'];
const DATES = ['0001-01-01', '2026-03-02', '2026-06-01', '2027-12-01', '9999-12-31'];
const KINDS = ['refund', 'reversal', 'chargeback', 'chargeback-reversed'];

interface StepContext {
  session: PublicSession;
  random: Random;
  /** Unique among the steps. */
  number: number;
  /** States that earlier steps fetched. */
  fetched: FetchedState[];
}

/** Sends a call, after others that it needs. Resolves with undefined if there is no record for it. */
type Step = (context: StepContext) => Promise<Answer | undefined>;

export const STEPS: readonly { name: string; weight: number; run: Step }[] = [
  { name: 'pay', weight: 20, run: pay },
  { name: 'pay several merchants', weight: 5, run: payShares },
  { name: 'pay out', weight: 6, run: payOut },
  { name: 'get a payment token', weight: 3, run: getToken },
  { name: 'pay and get a payment token', weight: 2, run: payForToken },
  { name: 'add a recurring payment', weight: 4, run: addRecurring },
  {
    name: 'cancel a recurring payment',
    weight: 1,
    run: onOne('recurring-payments', ({ session }, { id }) =>
      session.withToken(`/sandbox/api/cancelRecurringPayment/${id}`, {}),
    ),
  },
  { name: 'save a link', weight: 2, run: saveLink },
  { name: 'make a shop code', weight: 1, run: makeShopCode },
  {
    name: 'decide a payment',
    weight: 12,
    run: onOne('payments', ({ session, random }, { id }) =>
      session.control('POST', `/payments/${id}/settle`, {
        outcome: choose(['Paid', 'Paid', 'Paid', 'Failed', 'Cancelled', 'Expired'], random),
      }),
    ),
  },
  {
    name: 'adjust a payment',
    weight: 12,
    run: onOne('payments', ({ session, random }, { id, amount }) =>
      session.control('POST', `/payments/${id}/adjustments`, {
        kind: choose(KINDS, random),
        ...(random(3) > 0 ? { amount: choose(['0.01', '1.00', String(amount)], random) } : {}),
      }),
    ),
  },
  { name: 'decide a payout', weight: 3, run: decidePayout },
  {
    name: 'close the settlements',
    weight: 3,
    run: ({ session }) => session.control('POST', '/settlements/close', {}),
  },
  {
    name: 'return a settlement',
    weight: 3,
    run: onOne('settlements', ({ session }, { id }) =>
      session.control('POST', `/settlements/${id}/return`, { code: 'AC04' }),
    ),
  },
  {
    name: 'advance the clock',
    weight: 8,
    run: ({ session, random }) => session.control('POST', '/clock/advance', { by: choose(FAR_DURATIONS, random) }),
  },
  {
    name: 'set the clock',
    weight: 2,
    run: ({ session, random }) => session.control('PUT', '/clock', { mode: 'frozen', now: choose(INSTANTS, random) }),
  },
  { name: 'run until idle', weight: 1, run: ({ session }) => session.control('POST', '/clock/run-until-idle') },
  {
    name: 'use a scenario',
    weight: 3,
    run: ({ session, random }) => session.control('PUT', '/scenario', { name: choose(SCENARIOS, random) }),
  },
  { name: 'define a scenario', weight: 4, run: defineScenario },
  { name: 'set webhook endpoints', weight: 2, run: setEndpoints },
  {
    name: 'replay a delivery',
    weight: 1,
    run: onOne('webhooks/deliveries', ({ session }, { id }) =>
      session.control('POST', `/webhooks/deliveries/${id}/replay`),
    ),
  },
  { name: 'restore a fetched state', weight: 3, run: restore },
  { name: 'import a changed state', weight: 12, run: importChanged },
  { name: 'reset', weight: 1, run: ({ session }) => session.control('POST', '/reset') },
  {
    name: 'delete the session',
    weight: 1,
    run: ({ session }) => session.control('DELETE', `/sessions/${session.name}`),
  },
];

/** Chooses a step by weight; for a large session a reset, because its size would slow every start. */
export function chooseStep(random: Random, isLarge: boolean): (typeof STEPS)[number] {
  const reset = STEPS.find(({ name }) => name === 'reset');
  if (isLarge && reset) {
    return reset;
  }
  let remaining = random(STEPS.reduce((sum, { weight }) => sum + weight, 0));
  for (const step of STEPS) {
    remaining -= step.weight;
    if (remaining < 0) {
      return step;
    }
  }
  throw new Error('there are no steps');
}

/** Only mobile money needs a phone number. */
function anyWallet(random: Random) {
  const walletName = choose(WALLETS, random);
  return { walletName, payerMobile: walletName === 'WALLET_MOBILE' ? '263770000001' : undefined };
}

function pay({ session, random, number }: StepContext) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/wallet', {
    ...exampleOf('requests/single-payment'),
    ...anyWallet(random),
    amount: choose(AMOUNTS, random),
    payerReference: `ORDER-${number}`,
    paymentDescription: choose(NOTES, random),
    ...(random(10) === 0 ? { merchantId: `stranger-${random(3)}` } : {}),
  });
}

function payShares({ session, random, number }: StepContext) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/bulkWallet', {
    ...exampleOf('requests/bulk-payment'),
    ...anyWallet(random),
    amount: choose(AMOUNTS, random),
    payerReference: `SPLIT-${number}`,
    paymentDescription: choose(NOTES, random),
  });
}

function payOut({ session, random, number }: StepContext) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/bulkPayment', {
    ...exampleOf('requests/bulk-payout'),
    payerReference: `PAYOUT-${number}`,
    paymentDescription: choose(NOTES, random),
  });
}

function getToken({ session, number }: StepContext) {
  return session.withToken('/sandbox/api/requestPaymentToken', {
    ...exampleOf('requests/payment-token'),
    paymentTokenReferenceRequest: `TOKEN-${number}`,
  });
}

function payForToken({ session, random, number }: StepContext) {
  return session.withToken('/sandbox/api/requestPaymentTokenAndPay', {
    ...exampleOf('requests/payment-token-with-payment'),
    paymentTokenReferenceRequest: `TOKEN-${number}`,
    ...anyWallet(random),
    payerReference: `ORDER-${number}`,
    paymentDescription: choose(NOTES, random),
  });
}

async function addRecurring({ session, random, number }: StepContext) {
  const tokens = await session.newestIn('payment-tokens');
  const chosen = tokens[random(tokens.length)];
  return (
    chosen &&
    session.withToken('/sandbox/api/addRecurringPayment', {
      ...exampleOf('requests/recurring-payment'),
      recurringPaymentToken: chosen['token'],
      recurringReference: `SUBSCRIPTION-${number}`,
      recurringStartDate: choose(DATES, random),
      // Always set, because a clock that moves far would otherwise create a payment for each month of a thousand years.
      recurringExpiryDate: choose(['2026-06-01', '2027-12-01'], random),
    })
  );
}

function saveLink({ session, random, number }: StepContext) {
  const form = new FormData();
  const { paymentLinkImage: _, ...members } = exampleOf('requests/payment-link', {
    paymentLinkReference: `LINK-${number}`,
    paymentLinkStartDate: choose(DATES, random),
    paymentLinkEndDate: choose(DATES, random),
  });
  for (const [name, value] of Object.entries(members)) {
    form.set(name, String(value));
  }
  form.set('paymentLinkImage', new Blob([PNG], { type: 'image/png' }), 'stall.png');
  return session.sendForm('/api/merchant/sandbox/fastCheckOut', form);
}

function makeShopCode({ session, random, number }: StepContext) {
  return session.control('POST', '/shop-codes', {
    merchantId: 'M-1000',
    reference: `TILL-${number}`,
    currency: 'USD',
    ...(random(2) > 0 ? { amount: choose(AMOUNTS, random) } : {}),
  });
}

async function decidePayout({ session, random }: StepContext) {
  const payouts = await session.newestIn('payouts');
  const chosen = payouts[random(payouts.length)];
  const path = random(2) > 0 ? '/settle' : `/credits/${1 + random(2)}/settle`;
  const outcomes = path === '/settle' ? ['Paid', 'Failed'] : ['Paid', 'Failed', 'Returned'];
  return chosen && session.control('POST', `/payouts/${chosen.id}${path}`, { outcome: choose(outcomes, random) });
}

function defineScenario({ session, random }: StepContext) {
  return session.control('PUT', '/scenarios/mine', {
    name: 'mine',
    description: '',
    rules: [
      {
        settle: {
          outcome: choose(['Paid', 'Paid', 'Failed', 'Expired'], random),
          after: choose(FAR_DURATIONS, random),
        },
        adjustments: Array.from({ length: 1 + random(2) }, () => ({
          kind: choose(KINDS, random),
          after: choose(FAR_DURATIONS, random),
          amount: choose(AMOUNTS, random),
        })),
        credits: [
          { when: { number: 1 }, outcome: 'Paid', returned: { after: choose(FAR_DURATIONS, random), code: 'AC06' } },
        ],
        webhook: {
          mode: choose(['normal', 'duplicate', 'delayed', 'reordered'], random),
          delay: choose(FAR_DURATIONS, random),
        },
      },
    ],
  });
}

function setEndpoints({ session, random }: StepContext) {
  const endpoints = Array.from({ length: random(3) }, (_, port) => ({ url: `http://127.0.0.1:${9 + port}/` }));
  return session.control('PUT', '/webhooks/endpoints', { endpoints });
}

async function restore({ session, random, fetched }: StepContext) {
  const state = await session.state();
  if (state) {
    fetched.push(state);
    fetched.splice(0, fetched.length - 5);
  }
  const chosen = fetched[random(fetched.length)];
  const answer = chosen && (await session.control('PUT', '/state', chosen));
  if (answer && answer.status !== 200) {
    throw new Error(`a fetched state was refused: ${answer.status} ${answer.text}`);
  }
  return answer;
}

async function importChanged({ session, random }: StepContext) {
  const state = await session.state();
  return state && session.control('PUT', '/state', mutateState(state, random));
}

/** A step on one of the newest records of a list. */
function onOne(list: string, run: (context: StepContext, record: ListedRecord) => Promise<Answer>): Step {
  return async (context) => {
    const records = await context.session.newestIn(list);
    const chosen = records[context.random(records.length)];
    return chosen && run(context, chosen);
  };
}

function choose<T>(values: readonly T[], random: Random): T {
  const value = values[random(values.length)];
  if (value === undefined) {
    throw new Error('there is nothing to choose from');
  }
  return value;
}
