import { toDecimalText } from '../money.ts';
import type { Payment } from '../schema/records.ts';
import { ACCOUNTS, FEE_KINDS } from './accounts.ts';
import type { Standing } from './balances.ts';
import { type Difference, unless } from './difference.ts';
import type { BookedCollection, BookedRecords } from './entries.ts';
import { sharesOf } from './shares.ts';

/** Where a record that moves money contradicts itself. */
const CHECKS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Difference[] } = {
  payments: paymentBroken,
};

/** What a record, as it stands, has brought to accounts. Its history is not asked. */
const STANDINGS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Standing } = {
  payments: paymentStanding,
};

export function brokenIn<Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]): Difference[] {
  return CHECKS[collection](record);
}

export function standingOf<Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]): Standing {
  return STANDINGS[collection](record);
}

function paymentBroken({ id: subject, state, history, amount, shares, testMode }: Payment): Difference[] {
  const last = history.at(-1)?.to;
  const moves = history.filter(({ move }) => move !== undefined).length;
  const wanted = state === 'Paid' && !testMode ? 1 : 0;
  const shared = shares.reduce((sum, share) => sum + share.amount, 0);
  return [
    ...unless(last === state, subject, `a history that ends with ${state}`, String(last)),
    ...unless(moves === wanted, subject, `${wanted} numbered steps, as it is ${state}`, String(moves)),
    ...unless(
      shares.length === 0 || shared === amount,
      subject,
      `shares that add up to ${toDecimalText(amount)}`,
      toDecimalText(shared),
    ),
  ];
}

function paymentStanding(payment: Payment): Standing {
  const { state, testMode, amount, fees, channel } = payment;
  if (state !== 'Paid' || testMode) {
    return [];
  }
  const charges = FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
  return [
    [ACCOUNTS.payers(channel), -amount - (payment.feesBorneBy === 'payer' ? charges : 0)],
    ...FEE_KINDS.map((kind) => [ACCOUNTS.fees[kind], fees[kind]] as const),
    ...sharesOf(payment).map(
      (share) =>
        [
          ACCOUNTS.merchant(share.merchantId),
          share.gross - FEE_KINDS.reduce((sum, kind) => sum + share.fees[kind], 0),
        ] as const,
    ),
  ];
}
