import { splitByPercentage, toDecimalNumber, toDecimalText, toMinorUnits } from '../../base/money.ts';
import { GOODS, PAYERS, type WeekPayer } from './catalogue.ts';
import { minutesOf, TODAY } from './days.ts';
import { type PaidOrder, planCardPayment } from './orders.ts';
import type { WeekOrder } from './week-merchant.ts';
import type { WeekAction, WeekContext, WeekPlan } from './week-plan.ts';

const BANKS = {
  FSBKZZ22: 'First Sandbox Bank',
  SSBKZZ22: 'Second Sandbox Bank',
  TSBKZZ22: 'Third Sandbox Bank',
} as const;

type Credit = readonly [bank: keyof typeof BANKS, account: string, name: string, amount: number];

/** Payouts. The account number determines the outcome of a credit (docs/payouts.md). */
const PAYOUTS: readonly { reference: string; description: string; day: number; credits: readonly Credit[] }[] = [
  {
    reference: 'SUPPLIERS-9',
    description: 'Suppliers, this week',
    day: 1,
    credits: [
      ['FSBKZZ22', '2000000014', 'Valley Honey', 84.4],
      ['SSBKZZ22', '2000000027', 'Hill Roasters', 310.25],
      ['TSBKZZ22', '2000000031', 'Good Paper', 46.9],
    ],
  },
  {
    reference: 'WAGES-10',
    description: 'Wages',
    day: 3,
    credits: [
      ['FSBKZZ22', '2000000042', 'Tatenda Shumba', 215],
      ['SSBKZZ22', '9000000002', 'Memory Chirwa', 180.5],
      ['TSBKZZ22', '2000000058', 'Brian Tembo', 198.75],
      ['FSBKZZ22', '9000000007', 'Grace Phiri', 96],
    ],
  },
  {
    reference: 'COMMISSION-3',
    description: 'Commission of partners',
    day: 4,
    credits: [
      ['FSBKZZ22', '2000000063', 'Harbour Books', 58.2],
      ['SSBKZZ22', '9100000001', 'Garden Supplies', 41.65],
    ],
  },
];

const SPLIT_PAYMENT_TIMES = ['0 13:12', '2 17:08', '6 12:35'];
const SHARES = [
  { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 60 },
  { dynamicMerchantId: 'M-1002', dynamicPayoutPercentage: 40 },
];

/** Actions of the shop besides selling: logins, payouts, payments that are split, adjustments and mistaken calls. */
export function planOffice(plan: WeekPlan, orders: readonly PaidOrder[]): WeekAction[] {
  return [
    ...planLogins(plan),
    ...planPayouts(plan),
    ...planSplits(plan),
    ...planAdjustments(plan, orders),
    ...planMistakes(plan, orders),
  ];
}

/** Logins, so often that no access token (valid for five hours) expires in opening hours, and calls for reference data. */
function planLogins({ days }: WeekPlan): WeekAction[] {
  const logIn = ({ merchant }: WeekContext) => merchant.logIn();
  const wholeDays = Array.from({ length: TODAY }, (_, day) =>
    ['06:55', '11:15', '15:35', '19:55'].map((time) => ({ day, time })),
  );
  return [
    ...wholeDays.flat().map(({ day, time }) => ({ at: days.at(day, minutesOf(time)), run: logIn })),
    { at: days.ago(59), run: logIn },
    {
      at: days.at(0, minutesOf('06:56')),
      run: ({ merchant }) => merchant.send('GET', '/sandbox/param/paymentIntervals'),
    },
    { at: days.at(0, minutesOf('06:57')), run: ({ merchant }) => merchant.send('GET', '/sandbox/init/banks/all') },
  ];
}

function planPayouts({ days }: WeekPlan): WeekAction[] {
  return PAYOUTS.map(({ reference, description, day, credits }) => ({
    at: days.at(day, minutesOf('09:40')),
    run: ({ merchant }) =>
      merchant.payOut({
        debitTotalAmount: toDecimalNumber(credits.reduce((sum, [, , , amount]) => sum + toMinorUnits(amount), 0)),
        debitPaymentCurrency: 'USD',
        paymentDescription: description,
        debitBankName: BANKS.FSBKZZ22,
        debitBankBICCode: 'FSBKZZ22',
        debitAccountNumber: '1000000001',
        debitAccountName: 'Corner Shop',
        payerName: 'Corner Shop',
        payerReference: reference,
        payerBankReference: reference,
        dynamicCreditList: credits.map(([bank, account, name, amount]) => ({
          creditBankName: BANKS[bank],
          creditBankBICCode: bank,
          creditAccountNumber: account,
          creditAccountName: name,
          creditAmount: amount,
        })),
      }),
  }));
}

function planSplits({ days }: WeekPlan): WeekAction[] {
  return SPLIT_PAYMENT_TIMES.flatMap((when, index) => {
    const [day = '', time = ''] = when.split(' ');
    const order: WeekOrder = {
      reference: `MARKET-${index + 1}`,
      walletName: 'WALLET_CARD_A',
      amount: ['128.40', '76.00', '210.90'][index] ?? '0.00',
      description: 'Market day, shared takings',
      payer: PAYERS[index * 5 + 4] as WeekPayer,
    };
    return planCardPayment(order, days.at(Number(day), minutesOf(time)), ({ merchant }) =>
      merchant.initiate(order, { shares: SHARES }),
    );
  });
}

/** Refunds, a reversal and a chargeback, each with the day of the payment, and the day and time of the adjustment. */
function planAdjustments({ days }: WeekPlan, orders: readonly PaidOrder[]): WeekAction[] {
  const adjustedReferences = new Set<string>();
  const adjust = (
    kind: 'refund' | 'reversal' | 'chargeback',
    [paidOn, day, time]: readonly [number, number, string],
    percent?: number,
  ): WeekAction => {
    const order = orders.find((each) => each.day === paidOn && !adjustedReferences.has(each.reference));
    const { reference, amount } = order as PaidOrder;
    adjustedReferences.add(reference);
    const [part = 0] = splitByPercentage(toMinorUnits(amount), [percent ?? 100, 100 - (percent ?? 100)]);
    const members = percent === undefined ? {} : { amount: toDecimalText(part) };
    return { at: days.at(day, minutesOf(time)), run: ({ client }) => client.addAdjustment(reference, kind, members) };
  };
  return [
    adjust('refund', [0, 1, '15:20']),
    adjust('reversal', [2, 3, '08:05']),
    adjust('refund', [3, 4, '10:45'], 50),
    adjust('chargeback', [1, 5, '14:02']),
    adjust('refund', [5, 6, '16:30']),
  ];
}

/** Calls of somebody who develops the shop: refused ones, and a late status query. */
function planMistakes({ days }: WeekPlan, orders: readonly PaidOrder[]): WeekAction[] {
  const [description, amount] = GOODS[0] as (typeof GOODS)[number];
  const order = (reference: string, walletName = 'WALLET_QR'): WeekOrder => {
    return { reference, walletName, amount, description, payer: PAYERS[11] as WeekPayer };
  };
  const mistakenCall = (day: number, time: string, weekOrder: WeekOrder, mistake: object): WeekAction => ({
    at: days.at(day, minutesOf(time)),
    run: ({ merchant }) => merchant.initiateWithMistake(weekOrder, mistake),
  });
  return [
    mistakenCall(0, '07:02', order('TEST-1'), { amount: 14.5 }),
    mistakenCall(0, '07:03', order('TEST-2'), { merchantKey: 'key-of-last-year-0417' }),
    mistakenCall(2, '14:16', order('TEST-3', 'WALLET_MOBILE'), { payerMobile: '077 431 0207' }),
    mistakenCall(2, '14:18', order('TEST-4'), { walletName: 'WALLET_CREDIT', profileId: '1' }),
    mistakenCall(5, '09:33', order('TEST-5'), { paymentCurrency: 'US$' }),
    { at: days.at(3, minutesOf('09:12')), run: ({ merchant }) => merchant.queryStatus(order('ORDER-1999')) },
    { at: days.at(6, minutesOf('11:47')), run: ({ merchant }) => merchant.queryStatus(orders.at(-6) as PaidOrder) },
  ];
}
