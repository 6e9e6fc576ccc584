import type { MinorUnits } from '../../../../base/money.ts';
import type { Adjustment, Fees, Payment, Payout, Settlement } from '../../../../base/schema/records.ts';
import type { Instant } from '../../../../base/time.ts';
import { ALL_FEE_KINDS, type FeeKind, sumOfFees } from './accounts.ts';
import { movedAdjustments } from './adjustments.ts';
import { type BookedCollection, type BookedRecords, isPaying } from './entries.ts';
import { sharesOf } from './shares.ts';
import { adjustmentId, creditId } from './source-ids.ts';

export type LineType =
  | 'payment'
  | 'share'
  | 'fee'
  | Adjustment['kind']
  | 'payout'
  | 'payout-failed'
  | 'payout-returned'
  | 'settlement-returned';

type LineFees = Readonly<Record<FeeKind, MinorUnits>>;

const NO_FEES: LineFees = Object.freeze({ markUp: 0, serviceProvider: 0, gateway: 0, payout: 0, chargeback: 0 });

/** One movement on one merchant's account, as its settlement lists it: from the merchant's view, in minor units. */
export interface Line {
  /** 7-0 for the first line of move 7. */
  id: string;
  type: LineType;
  merchantId: string;
  environment: Payment['environment'];
  currency: string;
  move: number;
  at: Instant;
  /** The record that it follows from. */
  collection: BookedCollection;
  recordId: string;
  /** What in that record: an adjustment or a credit has an id of its own. */
  sourceId: string;
  paymentReference: string;
  paymentId: string;
  /** Of what it undoes, if anything. */
  originalReference: string;
  channel: string;
  gross: MinorUnits;
  /** By kind, below 0 where the merchant bears them. */
  fees: LineFees;
  code: string;
  description: string;
}

const LINES: { [Name in BookedCollection]: (record: BookedRecords[Name]) => Line[] } = {
  payments: paymentLines,
  payouts: payoutLines,
  settlements: settlementLines,
};

/** What a record moved on accounts of merchants, in the order of its steps. A share of nothing moves nothing. */
export function linesOfRecord<Name extends BookedCollection>(collection: Name, record: BookedRecords[Name]): Line[] {
  return LINES[collection](record).filter((line) => line.gross !== 0 || feeOf(line) !== 0);
}

/** Names all that moves on one merchant's account in one environment and currency. */
export function bookOf(
  merchantId: string,
  { environment, currency }: Pick<Payment, 'environment' | 'currency'>,
): string {
  return `${merchantId} ${environment} ${currency}`;
}

/** Whether a settlement has a line in it: moves up to its close that none before it had. */
export function isIn(settlement: Settlement, line: Line): boolean {
  const { merchantId, environment, currency, firstMove, throughMove } = settlement;
  return (
    line.merchantId === merchantId &&
    line.environment === environment &&
    line.currency === currency &&
    line.move >= firstMove &&
    (throughMove === null || line.move <= throughMove)
  );
}

/** Fees of all kinds, below 0 where the merchant bears them. */
export function feeOf({ fees }: Pick<Line, 'fees'>): MinorUnits {
  return ALL_FEE_KINDS.reduce((sum, kind) => sum + fees[kind], 0);
}

export function netOf(line: Pick<Line, 'gross' | 'fees'>): MinorUnits {
  return line.gross + feeOf(line);
}

function paymentLines(payment: Payment): Line[] {
  return [...paidLines(payment), ...adjustmentLines(payment)];
}

/** The adjustments of a payment, for each receiver whose share they touched. */
function adjustmentLines(payment: Payment): Line[] {
  const { id: recordId, environment, currency, channel, payerReference } = payment;
  return movedAdjustments(payment).flatMap(({ adjustment, shares, penalties }, place) => {
    const { kind: type, at, move, code, description } = adjustment;
    if (move === undefined) {
      return [];
    }
    return shares.map(({ merchantId, gross, fees }, index): Line => {
      return {
        id: `${move}-${index}`,
        ...{
          type,
          merchantId,
          environment,
          currency,
          move,
          at,
          collection: 'payments',
          recordId,
          sourceId: adjustmentId(payment, place),
          channel,
          gross,
        },
        fees: { ...NO_FEES, ...fees, chargeback: 0 - (penalties[index] ?? 0) },
        paymentReference: payerReference,
        paymentId: wireId(payment),
        originalReference: payerReference,
        code: code ?? '',
        description: description ?? '',
      };
    });
  });
}

/** What the wire calls a payment, by whichever of its members names it. */
function wireId({ paymentId, paymentCode }: Payment): string {
  return paymentId ?? paymentCode ?? '';
}

function paidLines(payment: Payment): Line[] {
  const { id: recordId, environment, currency, channel, payerReference } = payment;
  return payment.history.flatMap(({ from, to, at, move, code, description }) => {
    if (!isPaying({ from, to }) || move === undefined) {
      return [];
    }
    return sharesOf(payment).map(({ merchantId, gross, fees }, index): Line => {
      const type =
        payment.shares.length === 0 ? 'payment' : gross === 0 && index === payment.shares.length ? 'fee' : 'share';
      return {
        id: `${move}-${index}`,
        ...{ type, merchantId, environment, currency, move, at, channel, gross },
        ...{ collection: 'payments', recordId, sourceId: recordId },
        paymentReference: payerReference,
        paymentId: wireId(payment),
        originalReference: '',
        fees: borne(fees),
        code: code ?? '',
        description: description ?? '',
      };
    });
  });
}

/** A payout is taken off at once, with its fees; what fails or comes back is owed again. One from a bank has its fees alone here. */
function payoutLines(payout: Payout): Line[] {
  const { id: recordId, merchantId, environment, currency, payerReference, debitedFrom } = payout;
  const facts = {
    merchantId,
    environment,
    currency,
    collection: 'payouts' as const,
    recordId,
    paymentReference: payerReference,
    paymentId: '',
    channel: '',
  };
  const taken = debitedFrom === 'bank' ? 0 : payout.total;
  const [start] = payout.history;
  const begun: Line[] =
    start?.move === undefined
      ? []
      : [
          {
            id: `${start.move}-0`,
            type: taken === 0 ? 'fee' : 'payout',
            ...facts,
            ...{
              sourceId: recordId,
              move: start.move,
              at: start.at,
              originalReference: '',
              gross: 0 - taken,
              fees: { ...NO_FEES, payout: 0 - sumOfFees(payout.fees) },
            },
            ...{ code: '', description: payout.description },
          },
        ];
  const back = payout.credits.flatMap(({ history, amount, accountNumber }, place) =>
    history.flatMap(({ to, at, move, code, description }): Line[] => {
      if (move === undefined || taken === 0 || (to !== 'Failed' && to !== 'Returned')) {
        return [];
      }
      return [
        {
          id: `${move}-0`,
          type: to === 'Failed' ? 'payout-failed' : 'payout-returned',
          ...facts,
          ...{ sourceId: creditId(payout, place), move, at },
          ...{ originalReference: payerReference, gross: amount, fees: NO_FEES },
          ...{ code: code ?? '', description: [accountNumber, ...(description ? [description] : [])].join(': ') },
        },
      ];
    }),
  );
  return [...begun, ...back];
}

/** What a bank sent back is owed again. */
function settlementLines(settlement: Settlement): Line[] {
  const { id: recordId, merchantId, environment, currency, totals } = settlement;
  return settlement.history.flatMap(({ to, at, move, code, description }): Line[] => {
    if (to !== 'Returned' || move === undefined) {
      return [];
    }
    const facts = { merchantId, environment, currency, move, at, gross: totals?.transferred ?? 0 };
    return [
      {
        id: `${move}-0`,
        type: 'settlement-returned',
        ...facts,
        collection: 'settlements',
        recordId,
        sourceId: recordId,
        paymentReference: '',
        paymentId: '',
        originalReference: recordId,
        channel: '',
        fees: NO_FEES,
        code: code ?? '',
        description: description ?? '',
      },
    ];
  });
}

/** What a merchant bears is taken off. */
function borne({ markUp, serviceProvider, gateway }: Fees): LineFees {
  // No fee is 0, not -0.
  return { ...NO_FEES, markUp: 0 - markUp, serviceProvider: 0 - serviceProvider, gateway: 0 - gateway };
}
