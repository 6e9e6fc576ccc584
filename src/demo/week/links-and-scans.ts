import type { ShopCodeView } from '../../base/schema/generated/control.ts';
import { PAYERS, type WeekPayer } from './catalogue.ts';
import { minutesOf, TODAY } from './days.ts';
import type { PayerChoice } from './payer-pages.ts';
import type { WeekAction, WeekContext, WeekPlan } from './week-plan.ts';

export const SHOP_CODE = {
  merchantId: 'M-1000',
  reference: 'TILL-1',
  currency: 'USD',
  amount: '3.50',
  description: 'Coffee at the counter',
};

/** Scans of the code: day and time. */
const SCANS = ['0 08:47', '1 10:22', '1 16:05', '2 09:15', '3 12:40', '4 13:48', '5 11:09', '6 15:56'];

/** Payment links, which are created on the first day. */
const LINKS = [
  {
    name: 'Gift voucher',
    description: 'A morning at the shop, for somebody else',
    reference: 'VOUCHER',
    amount: '25.00',
    type: 'OPEN_FIXED_AMOUNT',
  },
  {
    name: 'Barista class',
    description: 'Saturday at ten, pay what you can',
    reference: 'CLASS-10',
    amount: '75.00',
    type: 'OPEN_DYNAMIC_AMOUNT',
  },
  {
    name: 'Invoice 318',
    description: 'Catering for the library',
    reference: 'INVOICE-318',
    amount: '312.40',
    type: 'ONCE_OFF_FIXED',
  },
];

/** Payments by link: the link, day and time, channel, ending, and the amount if the payer can choose it. */
const LINK_PAYMENTS: readonly (readonly [
  link: number,
  when: string,
  channel: string,
  ending: PayerChoice,
  amount?: string,
])[] = [
  [0, '1 09:03', 'mobile-money', 'pays'],
  [2, '2 11:26', 'card-network-b', 'challenge-passed'],
  [1, '3 19:44', 'qr-wallet', 'pays', '60.00'],
  [0, '4 14:21', 'qr-wallet', 'pays'],
  [1, '5 17:30', 'card-switch', 'approved', '75.00'],
  [0, '6 10:52', 'mobile-money', 'cancels'],
];

/** The instant of a day and time, plus 24 seconds, because real payments are rarely made at a full minute. */
function instantOf({ days }: WeekPlan, when: string) {
  const [day = '', time = ''] = when.split(' ');
  return days.at(Number(day), minutesOf(time) + 0.4);
}

/** Payments besides orders: scans of the code on the counter, and payments by link. */
export function planLinksAndScans(plan: WeekPlan, code: Pick<ShopCodeView, 'scanUrl'>): WeekAction[] {
  const { days } = plan;
  const urls: string[] = [];
  const linkCreations = LINKS.map(({ name, description, reference, amount, type }, index) => ({
    at: days.at(0, minutesOf('07:10') + index * 2.7),
    run: async ({ merchant }: WeekContext) => {
      urls[index] = await merchant.makeLink({
        paymentLinkName: name,
        paymentLinkDescription: description,
        paymentLinkReference: reference,
        paymentLinkAmount: amount,
        paymentLinkType: type,
        paymentLinkStartDate: days.date(0),
        paymentLinkEndDate: days.date(TODAY + 180),
        paymentLinkCurrencyId: '1',
        paymentLinkOtherCurrencies: 'false',
        paymentLinkCustomerRedirectUrl: 'https://corner-shop.example.test/thanks',
        paymentCustomerFailRedirectUrl: 'https://corner-shop.example.test/again',
        paymentLinkEmail: 'orders@corner-shop.example.test',
        paymentPayerFullNames: 'Guest',
        paymentPayerEmailAddress: 'guest@example.test',
        paymentPayerAddress: '1 Market Street',
        paymentPayerMobile: '263770000001',
      });
    },
  }));
  const linkPayments = LINK_PAYMENTS.map(([link, when, channel, ending, amount], index) => {
    const { name, email, mobile } = PAYERS[30 - index * 3] as WeekPayer;
    const fields = { channel, name, email, mobile, ...(amount === undefined ? {} : { amount }) };
    return {
      at: instantOf(plan, when),
      run: ({ pages }: WeekContext) => pages.payLink(urls[link] ?? '', fields, ending),
    };
  });
  const scans = SCANS.map((when) => ({
    at: instantOf(plan, when),
    run: ({ pages }: WeekContext) => pages.scan(code.scanUrl),
  }));
  return [...linkCreations, ...linkPayments, ...scans];
}
