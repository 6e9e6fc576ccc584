import type { Instant } from '../../base/time.ts';
import { GOODS, PAYERS } from './catalogue.ts';
import { minutesOf, TODAY } from './days.ts';
import type { PayerChoice } from './payer-pages.ts';
import type { Initiation, WeekOrder } from './week-merchant.ts';
import { pick, shuffled, type WeekAction, type WeekContext, type WeekPlan } from './week-plan.ts';

/** An order's channel, and how it ends: by its payer, by expiry if the payer does not act, or by a scenario in its call. */
interface PlannedOrder {
  walletName: string;
  ending: PayerChoice | 'expires' | 'insufficient-funds';
}

/** The orders that are not paid: each such ending, and each test card that fails, on at least one channel. */
const FAILURES: readonly PlannedOrder[] = [
  ...['cancels', 'expires', 'insufficient-funds'].map((ending) => ({ walletName: 'WALLET_QR', ending })),
  ...['wrong-pin', 'cancels', 'expires', 'insufficient-funds'].map((ending) => ({
    walletName: 'WALLET_MOBILE',
    ending,
  })),
  ...['declined', 'expired-card', 'expires'].map((ending) => ({ walletName: 'WALLET_SWITCH', ending })),
  ...['insufficient-funds', 'challenge-failed', 'challenge-abandoned', 'cancels', 'processing-error'].map((ending) => ({
    walletName: 'WALLET_CARD_A',
    ending,
  })),
  ...['declined', 'wrong-security-code'].map((ending) => ({ walletName: 'WALLET_CARD_B', ending })),
];

/** The share of each channel in the paid orders. */
const CHANNELS = [
  ...Array<string>(5).fill('WALLET_MOBILE'),
  ...Array<string>(4).fill('WALLET_QR'),
  ...Array<string>(3).fill('WALLET_CARD_A'),
  ...Array<string>(2).fill('WALLET_SWITCH'),
  ...Array<string>(2).fill('WALLET_CARD_B'),
];

/** The number of orders on each whole day, and their times: on the fifth day near the receiver's outage, so that notifications fail. */
const ORDERS_PER_DAY = [7, 8, 8, 7, 9, 8, 6] as const;
const OPENING_MINUTES = [minutesOf('08:10'), minutesOf('20:20')] as const;
const DAY_OF_OUTAGE = 4;
const OUTAGE_DAY_MINUTES = [minutesOf('11:20'), minutesOf('15:30')] as const;

/** Today's orders, by their age in minutes. The last three are still Processing. */
const TODAYS_ORDERS: readonly (readonly [minutes: number, walletName: string, ending: PlannedOrder['ending']])[] = [
  [57, 'WALLET_QR', 'pays'],
  [44, 'WALLET_CARD_A', 'approved'],
  [36, 'WALLET_MOBILE', 'wrong-pin'],
  [29, 'WALLET_MOBILE', 'pays'],
  [17, 'WALLET_CARD_B', 'challenge-passed'],
  [8.5, 'WALLET_SWITCH', 'expires'],
  [4.2, 'WALLET_MOBILE', 'expires'],
  [1.4, 'WALLET_QR', 'expires'],
];

/** The share of orders whose status the shop queries, as real shops do. */
const QUERIED_SHARE = 0.35;
const FIRST_REFERENCE = 2041;

export interface PaidOrder extends WeekOrder {
  day: number;
}

/** The numbered orders of the week, with the actions of the shop and of their payers. */
export function planOrders(plan: WeekPlan): { actions: WeekAction[]; paid: PaidOrder[] } {
  const { days } = plan;
  const times = ORDERS_PER_DAY.flatMap((count, day) => timesOf(plan, day, count));
  const plannedOrders = drawOrders(plan, times.length);
  const payers = shuffled(plan, PAYERS);
  const orders = [
    ...times.map(({ day, at }, index) => ({ day, at, planned: plannedOrders[index] as PlannedOrder })),
    ...TODAYS_ORDERS.map(([minutes, walletName, ending]) => ({
      day: TODAY,
      at: days.ago(minutes),
      planned: { walletName, ending },
    })),
  ];
  const actions: WeekAction[] = [];
  const paidOrders: PaidOrder[] = [];
  for (const [index, { day, at, planned }] of orders.entries()) {
    const [description, amount] = pick(plan, GOODS);
    const payer = payers[index % payers.length] as WeekOrder['payer'];
    const reference = `ORDER-${FIRST_REFERENCE + index}`;
    const order = { reference, walletName: planned.walletName, amount, description, payer };
    actions.push(...planActions(plan, order, at, planned));
    if (isPaid(planned.ending)) {
      paidOrders.push({ ...order, day });
    }
  }
  return { actions, paid: paidOrders };
}

function timesOf({ days, random }: WeekPlan, day: number, count: number): { day: number; at: Instant }[] {
  const [from, to] = day === DAY_OF_OUTAGE ? OUTAGE_DAY_MINUTES : OPENING_MINUTES;
  const gap = (to - from) / count;
  return Array.from({ length: count }, (_, index) => ({
    day,
    at: days.at(day, from + (index + 0.1 + 0.7 * random.chance()) * gap),
  }));
}

function drawOrders(plan: WeekPlan, count: number): PlannedOrder[] {
  const paidOrders = Array.from({ length: count - FAILURES.length }, () => {
    const walletName = pick(plan, CHANNELS);
    const card = plan.random.chance() < 0.3 ? 'challenge-passed' : 'approved';
    return { walletName, ending: isByCard(walletName) ? card : 'pays' };
  });
  return shuffled(plan, [...FAILURES, ...paidOrders]);
}

const isByCard = (walletName: string) => !['WALLET_QR', 'WALLET_MOBILE'].includes(walletName);
const isPaid = (ending: string) => ['pays', 'approved', 'challenge-passed'].includes(ending);

function planActions({ random }: WeekPlan, order: WeekOrder, at: Instant, { ending }: PlannedOrder): WeekAction[] {
  // At a card checkout, this ending is a test card instead.
  const scenario = ending === 'insufficient-funds' && !isByCard(order.walletName) ? ending : undefined;
  const decidedAt = at + Math.round(18 + random.chance() * 80) * 1000;
  const isQueried = random.chance() < QUERIED_SHARE;
  const isDecidedByPayer = ending !== 'expires' && scenario === undefined;
  return [
    {
      at,
      async run({ merchant, initiations }) {
        initiations.set(order.reference, await merchant.initiate(order, scenario ? { scenario } : {}));
      },
    },
    ...(isDecidedByPayer ? [{ at: decidedAt, run: (context: WeekContext) => decide(context, order, ending) }] : []),
    ...(isQueried ? [{ at: decidedAt + 4000, run: ({ merchant }: WeekContext) => merchant.queryStatus(order) }] : []),
  ];
}

/** Lets the payer decide on the page to which the initiation leads. */
async function decide(
  { pages, initiations }: WeekContext,
  { reference, payer }: WeekOrder,
  ending: PayerChoice,
): Promise<void> {
  const { paymentCode, paymentRedirectUrl } = initiations.get(reference) as Initiation;
  if (paymentCode) {
    await pages.answerQrCode(paymentCode, ending);
  } else if (paymentRedirectUrl) {
    await pages.checkOut(paymentRedirectUrl, ending);
  } else {
    await pages.answerPrompt(payer.mobile, ending);
  }
}

/** The actions of an order that is paid by card 41 seconds later. */
export function planCardPayment(
  order: WeekOrder,
  at: Instant,
  initiate: (context: WeekContext) => Promise<Initiation>,
): WeekAction[] {
  return [
    {
      at,
      async run(context) {
        context.initiations.set(order.reference, await initiate(context));
      },
    },
    { at: at + 41_000, run: (context) => decide(context, order, 'approved') },
  ];
}
