import type { Step } from '../../src/examine/observation/story.ts';
import type { Report } from '../../src/examine/report/report.ts';
import { SITUATIONS } from '../../src/examine/situations/situations.ts';
import type { CaseVerdict } from '../../src/examine/verdicts/case-verdicts.ts';
import { INVARIANTS } from '../../src/examine/verdicts/invariants.ts';
import { VERDICTS, type Verdict } from '../../src/examine/verdicts/verdicts.ts';

/** A text that every report format must show unchanged, so each has to escape it. */
export const AWKWARD = `<b>"O'Neill" & Sons</b> | \`x\` *y* ]]> -- \u0007 \u2028 */`;

const HISTORY: readonly Step[] = [
  { at: null, side: 'shop', who: 'shop', text: 'accepts an order of 10.00 USD on mobile-money' },
  {
    at: '2026-03-01T10:00:00.000Z',
    side: 'shop',
    who: 'shop',
    text: `sends POST /payments for ${AWKWARD}: answered 200`,
  },
  {
    at: '2026-03-01T10:00:00.000Z',
    side: 'provider',
    who: 'provider',
    text: 'records payment-1 of 10.00 USD as Processing',
  },
  {
    at: '2026-03-02T11:00:03.000Z',
    side: 'provider',
    who: 'provider',
    text: 'sends delivery-1, payment.paid: shop answers 204',
  },
  { at: null, side: 'shop', who: 'shop', text: 'says in the end: paid, fulfilled 2 times, paid 10.00' },
];

type VerdictMembers = Pick<CaseVerdict, 'invariant' | 'situation' | 'channel' | 'verdict'> & { note?: string };

function caseVerdict({ invariant, situation, channel, verdict, note }: VerdictMembers): CaseVerdict {
  const id = `${invariant}-${situation}-${channel}`;
  const isViolated = verdict === 'violated';
  const [bundle, test] = isViolated ? [`examination/${id}.bundle`, `examination/${id}.test.mjs`] : [null, null];
  const common = {
    id,
    invariant,
    situation,
    channel,
    verdict,
    ...(note ? { note } : {}),
    isScored: !situation.includes('+'),
  };
  return { ...common, amount: isViolated ? '10.00' : null, history: isViolated ? HISTORY : [], bundle, test };
}

/** A situation for each invariant, so that each violation has its own cause. */
const CALL_SITUATIONS: readonly string[] = SITUATIONS.filter(
  ({ kind }) => kind === 'call' || kind === 'other-call',
).map(({ id }) => id);

const verdicts: readonly CaseVerdict[] = [
  ...INVARIANTS.map(({ id }, index) =>
    caseVerdict({
      invariant: id,
      situation: CALL_SITUATIONS[index] ?? '',
      channel: 'mobile-money',
      verdict: 'violated',
    }),
  ),
  caseVerdict({ invariant: 'I2', situation: 'notified-twice', channel: 'qr-wallet', verdict: 'violated' }),
  caseVerdict({ invariant: 'I4', situation: 'answer-lost+notified-late', channel: 'qr-wallet', verdict: 'handled' }),
  caseVerdict({
    invariant: 'I4',
    situation: 'notified-never',
    channel: 'qr-wallet',
    verdict: 'handled-after-reconcile',
  }),
  caseVerdict({
    invariant: 'I1',
    situation: 'query-lags',
    channel: 'qr-wallet',
    verdict: 'not-exercised',
    note: AWKWARD,
  }),
  caseVerdict({
    invariant: 'I3',
    situation: 'answer-lost',
    channel: 'qr-wallet',
    verdict: 'inconclusive',
    note: AWKWARD,
  }),
  caseVerdict({
    invariant: 'I4',
    situation: 'paid',
    channel: 'card-switch',
    verdict: 'not-applicable',
    note: 'not sold',
  }),
];

const counts = Object.fromEntries(
  VERDICTS.map((verdict) => [verdict, verdicts.filter((each) => each.verdict === verdict).length]),
) as Record<Verdict, number>;

/** A report with every verdict, in which every invariant is violated. */
export const EVERY_VERDICT: Report = {
  verdicts,
  counts,
  findings: [
    {
      id: 'SBX-W10',
      name: 'status-asked-too-often',
      meaning: 'The status of one payment was queried 60 times within a second.',
      advice: `Wait longer. ${AWKWARD}`,
      expected: 'fewer queries',
      received: '60 queries',
      situation: 'answer-lost',
      channel: 'qr-wallet',
    },
  ],
  words: { open: ['open'], paid: ['paid'], givenUp: ['failed'] },
  requirements: '2026-12',
  isStopped: false,
  cases: 1200,
  combinations: 40,
  slowest: [{ situation: 'answer-never', channel: 'mobile-money', milliseconds: 2400 }],
  seed: 7,
  milliseconds: 24_000,
  subject: 'shop',
  unseen: [],
  facts: {
    at: '2026-03-01T10:00:00.000Z',
    version: '0.1.0',
    named: [
      ['Adapter', './examine.mjs'],
      ['Shop', `started by npm start -- ${AWKWARD}`],
      ['Could see', 'orders and their states, notifications (webhookUrl)'],
      ['Could not see', "the shop's reconciliation job (reconcile)"],
    ],
  },
};
