import { exampleOf, PNG } from '../interface/examples.ts';
import type { Random } from '../random.ts';
import { mutated } from './mutated-state.ts';
import type { Answer, FetchedState, Listed, PublicSession } from './public-session.ts';

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
/** The far ones too: whatever follows from them must be readable. */
const FAR = [...DURATIONS, 'P1000Y'];
const INSTANTS = ['1970-01-01T00:00:00Z', '2026-03-01T10:00:00Z', '2026-03-31T21:59:59Z', '6999-12-31T23:59:59.999Z'];
const DATES = ['0001-01-01', '2026-03-02', '2026-06-01', '2027-12-01', '9999-12-31'];
const KINDS = ['refund', 'reversal', 'chargeback', 'chargeback-reversed'];

/** What a step has at hand. */
interface Hand {
  session: PublicSession;
  random: Random;
  /** A number that no other step has. */
  number: number;
  /** What was fetched of sessions before. */
  fetched: FetchedState[];
}

/** A public call, or two that belong together. Undefined where there is nothing to do it to. */
type Step = (hand: Hand) => Promise<Answer | undefined>;

/** THE STEPS of a random history, each with its weight. */
export const STEPS: readonly { name: string; weight: number; take: Step }[] = [
  { name: 'pay', weight: 20, take: pay },
  { name: 'pay several merchants', weight: 5, take: payShares },
  { name: 'pay out', weight: 6, take: payOut },
  { name: 'get a payment token', weight: 3, take: getToken },
  { name: 'pay and get a payment token', weight: 2, take: payForToken },
  { name: 'add a recurring payment', weight: 4, take: addRecurring },
  {
    name: 'cancel a recurring payment',
    weight: 1,
    take: onOne('recurring-payments', ({ session }, { id }) =>
      session.withToken(`/sandbox/api/cancelRecurringPayment/${id}`, {}),
    ),
  },
  { name: 'save a link', weight: 2, take: saveLink },
  { name: 'make a shop code', weight: 1, take: makeShopCode },
  {
    name: 'settle a payment',
    weight: 12,
    take: onOne('payments', ({ session, random }, { id }) =>
      session.control('POST', `/payments/${id}/settle`, {
        outcome: one(['Paid', 'Paid', 'Paid', 'Failed', 'Cancelled', 'Expired'], random),
      }),
    ),
  },
  {
    name: 'take a payment back',
    weight: 12,
    take: onOne('payments', ({ session, random }, { id, amount }) =>
      session.control('POST', `/payments/${id}/adjustments`, {
        kind: one(KINDS, random),
        ...(random(3) > 0 ? { amount: one(['0.01', '1.00', String(amount)], random) } : {}),
      }),
    ),
  },
  { name: 'settle a payout', weight: 3, take: settlePayout },
  {
    name: 'close the settlements',
    weight: 3,
    take: ({ session }) => session.control('POST', '/settlements/close', {}),
  },
  {
    name: 'return a settlement',
    weight: 3,
    take: onOne('settlements', ({ session }, { id }) =>
      session.control('POST', `/settlements/${id}/return`, { code: 'AC04' }),
    ),
  },
  {
    name: 'advance the clock',
    weight: 8,
    take: ({ session, random }) => session.control('POST', '/clock/advance', { by: one(FAR, random) }),
  },
  {
    name: 'set the clock',
    weight: 2,
    take: ({ session, random }) => session.control('PUT', '/clock', { mode: 'frozen', now: one(INSTANTS, random) }),
  },
  { name: 'run until idle', weight: 1, take: ({ session }) => session.control('POST', '/clock/run-until-idle') },
  {
    name: 'follow a scenario',
    weight: 3,
    take: ({ session, random }) => session.control('PUT', '/scenario', { name: one(SCENARIOS, random) }),
  },
  { name: 'define a scenario', weight: 4, take: defineScenario },
  { name: 'set webhook endpoints', weight: 2, take: setEndpoints },
  {
    name: 'replay a delivery',
    weight: 1,
    take: onOne('webhooks/deliveries', ({ session }, { id }) =>
      session.control('POST', `/webhooks/deliveries/${id}/replay`),
    ),
  },
  { name: 'restore a fetched state', weight: 3, take: restore },
  { name: 'import a changed state', weight: 12, take: importChanged },
  { name: 'reset', weight: 1, take: ({ session }) => session.control('POST', '/reset') },
  {
    name: 'delete the session',
    weight: 1,
    take: ({ session }) => session.control('DELETE', `/sessions/${session.name}`),
  },
];

/** One of the steps, the weightier the more often; where a session has grown large, a reset, so that each start stays quick. */
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

/** Mobile money alone asks a phone. */
function anyWallet(random: Random) {
  const walletName = one(WALLETS, random);
  return { walletName, payerMobile: walletName === 'WALLET_MOBILE' ? '263770000001' : undefined };
}

function pay({ session, random, number }: Hand) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/wallet', {
    ...exampleOf('requests/single-payment'),
    ...anyWallet(random),
    amount: one(AMOUNTS, random),
    payerReference: `ORDER-${number}`,
    paymentDescription: one(NOTES, random),
    ...(random(10) === 0 ? { merchantId: `stranger-${random(3)}` } : {}),
  });
}

function payShares({ session, random, number }: Hand) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/bulkWallet', {
    ...exampleOf('requests/bulk-payment'),
    ...anyWallet(random),
    amount: one(AMOUNTS, random),
    payerReference: `SPLIT-${number}`,
    paymentDescription: one(NOTES, random),
  });
}

function payOut({ session, random, number }: Hand) {
  return session.call('POST', '/sandbox/init/authenticate/merchant/bulkPayment', {
    ...exampleOf('requests/bulk-payout'),
    payerReference: `PAYOUT-${number}`,
    paymentDescription: one(NOTES, random),
  });
}

function getToken({ session, number }: Hand) {
  return session.withToken('/sandbox/api/requestPaymentToken', {
    ...exampleOf('requests/payment-token'),
    paymentTokenReferenceRequest: `TOKEN-${number}`,
  });
}

function payForToken({ session, random, number }: Hand) {
  return session.withToken('/sandbox/api/requestPaymentTokenAndPay', {
    ...exampleOf('requests/payment-token-with-payment'),
    paymentTokenReferenceRequest: `TOKEN-${number}`,
    ...anyWallet(random),
    payerReference: `ORDER-${number}`,
    paymentDescription: one(NOTES, random),
  });
}

async function addRecurring({ session, random, number }: Hand) {
  const tokens = await session.listed('payment-tokens');
  const chosen = tokens[random(tokens.length)];
  return (
    chosen &&
    session.withToken('/sandbox/api/addRecurringPayment', {
      ...exampleOf('requests/recurring-payment'),
      recurringPaymentToken: chosen['token'],
      recurringReference: `SUBSCRIPTION-${number}`,
      recurringStartDate: one(DATES, random),
      // Always set, because a clock that moves far would otherwise create a payment for each month of a thousand years.
      recurringExpiryDate: one(['2026-06-01', '2027-12-01'], random),
    })
  );
}

function saveLink({ session, random, number }: Hand) {
  const form = new FormData();
  const { paymentLinkImage: _, ...members } = exampleOf('requests/payment-link', {
    paymentLinkReference: `LINK-${number}`,
    paymentLinkStartDate: one(DATES, random),
    paymentLinkEndDate: one(DATES, random),
  });
  for (const [name, value] of Object.entries(members)) {
    form.set(name, String(value));
  }
  form.set('paymentLinkImage', new Blob([PNG], { type: 'image/png' }), 'stall.png');
  return session.sendForm('/api/merchant/sandbox/fastCheckOut', form);
}

function makeShopCode({ session, random, number }: Hand) {
  return session.control('POST', '/shop-codes', {
    merchantId: 'M-1000',
    reference: `TILL-${number}`,
    currency: 'USD',
    ...(random(2) > 0 ? { amount: one(AMOUNTS, random) } : {}),
  });
}

async function settlePayout({ session, random }: Hand) {
  const payouts = await session.listed('payouts');
  const chosen = payouts[random(payouts.length)];
  const path = random(2) > 0 ? '/settle' : `/credits/${1 + random(2)}/settle`;
  const outcomes = path === '/settle' ? ['Paid', 'Failed'] : ['Paid', 'Failed', 'Returned'];
  return chosen && session.control('POST', `/payouts/${chosen.id}${path}`, { outcome: one(outcomes, random) });
}

function defineScenario({ session, random }: Hand) {
  return session.control('PUT', '/scenarios/mine', {
    name: 'mine',
    description: '',
    rules: [
      {
        settle: { outcome: one(['Paid', 'Paid', 'Failed', 'Expired'], random), after: one(FAR, random) },
        adjustments: Array.from({ length: 1 + random(2) }, () => ({
          kind: one(KINDS, random),
          after: one(FAR, random),
          amount: one(AMOUNTS, random),
        })),
        credits: [{ when: { number: 1 }, outcome: 'Paid', returned: { after: one(FAR, random), code: 'AC06' } }],
        webhook: { mode: one(['normal', 'duplicate', 'delayed', 'reordered'], random), delay: one(FAR, random) },
      },
    ],
  });
}

function setEndpoints({ session, random }: Hand) {
  const endpoints = Array.from({ length: random(3) }, (_, port) => ({ url: `http://127.0.0.1:${9 + port}/` }));
  return session.control('PUT', '/webhooks/endpoints', { endpoints });
}

async function restore({ session, random, fetched }: Hand) {
  const state = await session.state();
  if (state) {
    fetched.push(state);
    fetched.splice(0, fetched.length - 5);
  }
  const chosen = fetched[random(fetched.length)];
  const answer = chosen && (await session.control('PUT', '/state', chosen));
  if (answer && answer.status !== 200) {
    throw new Error(`a fetched state was not taken back: ${answer.status} ${answer.text}`);
  }
  return answer;
}

async function importChanged({ session, random }: Hand) {
  const state = await session.state();
  return state && session.control('PUT', '/state', mutated(state, random));
}

/** A step on one of the newest records of a list. */
function onOne(list: string, take: (hand: Hand, record: Listed) => Promise<Answer>): Step {
  return async (hand) => {
    const records = await hand.session.listed(list);
    const chosen = records[hand.random(records.length)];
    return chosen && take(hand, chosen);
  };
}

function one<T>(values: readonly T[], random: Random): T {
  const value = values[random(values.length)];
  if (value === undefined) {
    throw new Error('there is nothing to choose from');
  }
  return value;
}
