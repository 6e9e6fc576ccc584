// Random histories as plain data. A history depends only on the seed and its number, so that it can be played again separately.
import fc from 'fast-check';

const CHANNELS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const MERCHANTS = ['M-1000', 'M-1001', 'M-1002'];
const ENDINGS = [
  null,
  null,
  null,
  ...Array(7).fill('auto-approve'),
  'declined',
  'declined',
  'chargeback',
  'late-success',
  'late-failure',
  'paid-after-expiry',
];
const MISTAKES = [
  'missing',
  'doubled',
  'unknown',
  'next-day',
  'fee',
  'cent',
  'date',
  'currency',
  'sign',
  'reference',
  'net',
  'merged',
  'split',
  'status-conflict',
  'hidden-adjustment',
  'file-again',
  'corrected-file',
  'new-layout',
];
const BANK_MISTAKES = ['late', 'short', 'twice', 'unknown-credit'];
const SHIPPED_MISTAKES = ['settlement-mismatches', 'settlement-corrected', 'bank-statement-mismatches'];
/** Accounts of payouts: four that are paid, some with other outcomes (fixtures/payouts.json), and the account of a merchant. */
const ACCOUNTS = ['2000000001', '2000000002', '2000000003', '2000000004', '9000000002', '9100000001', 'no', 'M-1001'];
/** Accounts that payouts are debited to: one other account, and the accounts of two merchants. */
const DEBITED = ['1000000001', 'M-1000', 'M-1000', 'M-1001'];
/** Unusual texts that a file must contain unchanged. Payments with the same reference are twins. */
const REFERENCES = ['TWIN', 'TWIN', 'TWIN', '=1+1', '"quoted", with a comma', '0007', 'two\nlines', 'ünïcode ✓'];

const small = fc.nat(9);
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 50_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 208, 209, 1000, 1000, 1000, 1000, 99_999_999) },
);

/** Percentages that add up to 100, to hundredths. */
const split = fc.array(fc.integer({ min: 100, max: 10_000 }), { minLength: 1, maxLength: 3 }).map((weights) => {
  const sum = weights.reduce((added, each) => added + each, 0);
  const parts = weights.map((each) => Math.max(100, Math.floor((each * 10_000) / sum)));
  const others = parts.slice(1).reduce((added, each) => added + each, 0);
  return [10_000 - others, ...parts.slice(1)].map((each) => each / 100);
});

const pay = fc.record({
  step: fc.constant('pay'),
  channel: fc.constantFrom(...CHANNELS),
  merchant: fc.constantFrom('M-1000', 'M-1000', ...MERCHANTS),
  amount: cents,
  reference: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...REFERENCES) },
  ),
  split: fc.option(fc.record({ percentages: split, first: fc.nat(2) }), { freq: 2 }),
  ending: fc.constantFrom(...ENDINGS),
  isTest: fc.nat(19).map((number) => number === 0),
  isSandbox: fc.nat(4).map((number) => number === 0),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
});

const payout = fc.record({
  step: fc.constant('payout'),
  merchant: fc.constantFrom(...MERCHANTS),
  debited: fc.constantFrom(...DEBITED),
  credits: fc.array(fc.record({ account: fc.constantFrom(...ACCOUNTS), amount: cents }), {
    minLength: 1,
    maxLength: 4,
  }),
});

const OTHERS = [
  [
    6,
    fc.record({
      step: fc.constant('settle'),
      which: small,
      outcome: fc.constantFrom('Paid', 'Paid', 'Paid', 'Failed', 'Cancelled', 'Expired'),
    }),
  ],
  [
    6,
    fc.record({
      step: fc.constant('adjust'),
      which: small,
      kind: fc.constantFrom('refund', 'reversal', 'chargeback', 'chargeback-reversed'),
      permille: fc.option(fc.integer({ min: 1, max: 1000 }), { freq: 3 }),
    }),
  ],
  [
    1,
    fc.record({
      step: fc.constant('settleCredit'),
      which: small,
      number: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom('Paid', 'Failed', 'Returned'),
    }),
  ],
  [1, fc.record({ step: fc.constant('close') })],
  [2, fc.record({ step: fc.constant('returnTransfer'), which: small })],
  [
    6,
    fc.record({
      step: fc.constant('advance'),
      by: fc.constantFrom('PT3S', 'PT3S', 'PT3S', 'PT20M', 'PT1H', 'PT5H', 'P1D', 'P1D', 'P3D', 'P8D'),
    }),
  ],
  [2, fc.record({ step: fc.constant('toCutOff'), milliseconds: fc.constantFrom(-1, 0, 1) })],
  [1, fc.record({ step: fc.constant('setBack'), hours: fc.constantFrom(1, 7, 30) })],
  [
    1,
    fc.record({
      step: fc.constant('scenario'),
      kinds: fc.subarray(MISTAKES),
      bank: fc.subarray(BANK_MISTAKES),
      totals: fc.constantFrom('stay', 'follow'),
    }),
  ],
  [1, fc.record({ step: fc.constant('shippedMistakes'), name: fc.constantFrom(...SHIPPED_MISTAKES) })],
  [1, fc.record({ step: fc.constant('noMistakes') })],
];

const anyHistory = fc.record({
  start: fc.constantFrom(
    '2026-03-05T10:00:00.000Z',
    '2026-03-27T15:59:00.000Z',
    '2026-10-23T21:00:00.000Z',
    '2026-12-30T08:30:00.000Z',
  ),
  scenario: fc.constantFrom('payer-decides', 'payer-decides', ...SHIPPED_MISTAKES),
  runsOut: fc.nat(4).map((number) => number > 0),
  steps: fc.array(
    fc.oneof(
      { weight: 16, arbitrary: pay },
      { weight: 3, arbitrary: payout },
      ...OTHERS.map(([weight, arbitrary]) => ({ weight, arbitrary })),
    ),
    { minLength: 4, maxLength: 30, size: 'max' },
  ),
});

export function historyOf(seed, number, terms) {
  // The generator gives different histories for neighbouring seeds. The prime prevents two seeds from sharing histories.
  const [{ steps, ...facts }] = fc.sample(anyHistory, { seed: (seed * 1_000_003 + number) | 0, numRuns: 1 });
  return { seed: `${seed}-${number}`, terms: terms[number % terms.length], ...facts, steps };
}
