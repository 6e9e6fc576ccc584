import { toDecimalText } from '../money.ts';
import type { Payment, Settlement } from '../schema/records.ts';
import { ACCOUNTS, FEE_KINDS } from './accounts.ts';
import type { Standing } from './balances.ts';
import { type Difference, unless } from './difference.ts';
import type { BookedCollection, BookedRecords } from './entries.ts';
import { sharesOf } from './shares.ts';
import type { Totals } from './totals.ts';

/** Where a record that moves money contradicts itself. */
const CHECKS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Difference[] } = {
  payments: paymentBroken,
  settlements: settlementBroken,
};

/** What a record, as it stands, has brought to accounts. Its history is not asked. */
const STANDINGS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Standing } = {
  payments: paymentStanding,
  settlements: settlementStanding,
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

/** How often money has moved by the time that a settlement is in a state. */
const SETTLEMENT_MOVES: Record<Settlement['state'], number> = {
  Open: 0,
  InTransit: 1,
  Paid: 2,
  Returned: 3,
  CarriedOver: 0,
};

function settlementBroken({ id: subject, state, history, totals, firstMove, throughMove }: Settlement): Difference[] {
  const last = history.at(-1)?.to ?? 'Open';
  const moves = history.filter(({ move }) => move !== undefined).length;
  return [
    ...unless(last === state, subject, `a history that ends with ${state}`, last),
    ...unless(moves === SETTLEMENT_MOVES[state], subject, `as many moves as a ${state} one has`, String(moves)),
    ...unless(
      state === 'Open' || (throughMove !== null && throughMove >= firstMove),
      subject,
      'a last move once it is closed',
      String(throughMove),
    ),
    ...unless((totals === null) === (state === 'Open'), subject, 'totals once it is closed', JSON.stringify(totals)),
    ...(totals ? totalsBroken(subject, totals) : []),
  ];
}

function totalsBroken(subject: string, totals: Totals): Difference[] {
  const { count, gross, fee, net, carriedIn, transferred, carriedOut, types } = totals;
  const sums = Object.values(types);
  const sumOf = (name: 'count' | 'gross' | 'fee' | 'net') => sums.reduce((sum, each) => sum + each[name], 0);
  return [
    ...unless(net === gross + fee, subject, 'a net of gross and fee', toDecimalText(net)),
    ...unless(
      carriedIn + net === transferred + carriedOut && transferred >= 0,
      subject,
      'that what is carried in and the net are what is transferred and carried out',
      toDecimalText(carriedIn + net - transferred - carriedOut),
    ),
    ...unless(
      sumOf('count') === count && sumOf('gross') === gross && sumOf('fee') === fee && sumOf('net') === net,
      subject,
      'sums by type that add up to the totals',
      JSON.stringify(types),
    ),
  ];
}

function settlementStanding({ state, merchantId, bank, totals }: Settlement): Standing {
  const transferred = totals?.transferred ?? 0;
  const to = {
    Open: null,
    CarriedOver: null,
    InTransit: ACCOUNTS.inTransit,
    Paid: ACCOUNTS.bank(bank.bankBICCode, bank.accountNumber),
    Returned: null,
  }[state];
  return to === null
    ? []
    : [
        [ACCOUNTS.merchant(merchantId), -transferred],
        [to, transferred],
      ];
}
