import { PAYERS, type WeekPayer } from './catalogue.ts';
import { minutesOf } from './days.ts';
import { planCardPayment } from './orders.ts';
import type { Initiation } from './week-merchant.ts';
import type { WeekAction, WeekContext, WeekPlan } from './week-plan.ts';

/** A subscription, with the days on which it is ordered, first due and cancelled. */
interface Subscription {
  reference: string;
  description: string;
  amount: string;
  interval: readonly [id: string, name: string];
  orderDay: number;
  dueDay: number;
  cancelDay?: number;
}

/** Due every five days, because this interval has that duration in payment-intervals.json. */
const WEEKLY = ['3', 'Weekly'] as const;
const SUBSCRIPTIONS: readonly Subscription[] = [
  { reference: 'SUB-101', description: 'Coffee every week', amount: '14.50', interval: WEEKLY, orderDay: 0, dueDay: 0 },
  { reference: 'SUB-102', description: 'Office coffee', amount: '49.00', interval: WEEKLY, orderDay: 0, dueDay: 1 },
  {
    reference: 'SUB-103',
    description: 'Fresh bread every day',
    amount: '6.20',
    interval: ['2', 'Daily'],
    orderDay: 1,
    dueDay: 2,
    cancelDay: 4,
  },
  {
    reference: 'SUB-104',
    description: 'Coffee club',
    amount: '29.00',
    interval: ['1', 'Monthly'],
    orderDay: 2,
    dueDay: 3,
  },
];

/** Subscriptions begin with a payment by card, whose token is charged from then on. The charge on day 5 fails for insufficient funds. */
export function planSubscriptions({ days }: WeekPlan): WeekAction[] {
  const expiry = days.date(700);
  const actions = SUBSCRIPTIONS.flatMap((each, index) => {
    const { reference, description, amount, interval, dueDay } = each;
    const payer = PAYERS[index * 7 + 2] as WeekPayer;
    const at = days.at(each.orderDay, minutesOf('07:40') + index * 6.3);
    const order = { reference, walletName: 'WALLET_CARD_A', amount, description: `${description}, first time`, payer };
    const [recurringIntervalId, recurringIntervalName] = interval;
    const add: WeekAction = {
      at: at + 55_000,
      run: ({ merchant, initiations }) =>
        merchant.addRecurring({
          recurringIntervalId,
          recurringIntervalName,
          recurringPaymentToken: (initiations.get(reference) as Initiation).paymentToken ?? '',
          recurringReference: reference,
          recurringDescription: description,
          recurringStartDate: days.date(dueDay),
          recurringExpiryDate: expiry,
          recurringAmount: amount,
        }),
    };
    const cancel =
      each.cancelDay === undefined
        ? []
        : [
            {
              at: days.at(each.cancelDay, minutesOf('18:12')),
              run: ({ merchant }: WeekContext) => merchant.cancelRecurring(index + 1),
            },
          ];
    return [...planCardPayment(order, at, ({ merchant }) => merchant.initiateWithToken(order)), add, ...cancel];
  });
  return [
    ...actions,
    { at: days.at(4, minutesOf('23:55')), run: ({ client }) => client.useScenario('insufficient-funds') },
    { at: days.at(5, minutesOf('00:05')), run: ({ client }) => client.useScenario('payer-decides') },
    { at: days.at(3, minutesOf('10:31')), run: ({ merchant }) => merchant.requestToken('TOKEN-12') },
  ];
}
