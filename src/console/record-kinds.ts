import type {
  DeliveryView,
  LinkView,
  PaymentView,
  PayoutView,
  RecurringPaymentView,
  SettlementView,
  ShopCodeView,
} from '../base/schema/generated/control.ts';

interface RecordKind {
  name: string;
  /** The path of its list, below the control API. */
  path: string;
  referenceOf(record: unknown): string;
}

/** Kinds of records that the console names by a reference or name instead of the id, by collection. */
export const RECORD_KINDS: Readonly<Record<string, RecordKind>> = {
  payments: { name: 'payment', path: 'payments', referenceOf: (record) => (record as PaymentView).payerReference },
  payouts: { name: 'payout', path: 'payouts', referenceOf: (record) => (record as PayoutView).payerReference },
  deliveries: {
    name: 'delivery',
    path: 'webhooks/deliveries',
    referenceOf: (record) => {
      const { type, subject } = record as DeliveryView;
      return subject === undefined ? type : `${type} ${subject.reference}`;
    },
  },
  links: { name: 'link', path: 'links', referenceOf: (record) => (record as LinkView).name },
  recurringPayments: {
    name: 'recurring payment',
    path: 'recurring-payments',
    referenceOf: (record) => (record as RecurringPaymentView).reference,
  },
  shopCodes: { name: 'shop code', path: 'shop-codes', referenceOf: (record) => (record as ShopCodeView).reference },
  settlements: {
    name: 'settlement',
    path: 'settlements',
    referenceOf: (record) => (record as SettlementView).businessDate,
  },
};
