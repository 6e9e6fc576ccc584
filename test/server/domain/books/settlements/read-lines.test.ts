import fc from 'fast-check';
import type { Payment, Settlement } from '../../../../../src/base/schema/generated/records.ts';
import { isInSettlement, linesOfRecord } from '../../../../../src/server/domain/books/ledger/settlement-lines.ts';
import { readLines } from '../../../../../src/server/domain/books/settlements/read-lines.ts';
import type { Reader } from '../../../../../src/server/sessions/reader.ts';
import { MemoryReads } from '../../../../../src/server/store/memory/reads.ts';
import { Tables } from '../../../../../src/server/store/memory/tables.ts';
import { cases } from '../../../../cases.ts';
import { payment, state } from '../../../store/samples.ts';

const MERCHANTS = ['M-1000', 'M-2000', 'M-3000'] as const;
const merchant = fc.constantFrom(...MERCHANTS);

/** A paid payment with the same number as its move, split among receivers if there are any. */
function makePaidPayment(number: number, merchantId: string, receivers: readonly string[]): Payment {
  const shares = receivers.map((receiver) => ({ merchantId: receiver, percentage: 10, amount: 100 }));
  const at = 1_700_000_000_000;
  const step = { at, from: 'Processing', to: 'Paid', cause: 'payer', code: null, description: null } as const;
  const history = [{ ...step, move: number }];
  return payment(`payment-${number}`, { merchantId, shares, amount: 1000, state: 'Paid', history });
}

function settlementOf(merchantId: string, first: number, last: number): Settlement {
  return {
    id: 'settlement-1',
    createdAt: 0,
    merchantId,
    environment: 'sandbox',
    currency: 'USD',
    sequence: 1,
    businessDate: '2026-03-01',
    cutOff: 0,
    bank: { bankBICCode: 'X', accountNumber: '1' },
    latestOf: null,
    previous: null,
    firstMove: first,
    throughMove: last,
    first: { payments: first },
    last: { payments: last, payouts: 0, settlements: 0 },
    totals: null,
    valueDate: null,
    state: 'Open',
    dueAt: null,
    history: [],
  };
}

/** A reader of these payments, and a function that returns how many were read. */
function readerOf(payments: readonly Payment[]): { reader: Pick<Reader, 'find'>; readCount: () => number } {
  const tables = new Tables();
  const changes = payments.map((record) => ({ collection: 'payments' as const, id: record.id, record }));
  tables.apply({ session: '', state: state(), changes });
  const reads = new MemoryReads(tables);
  let count = 0;
  const reader: Pick<Reader, 'find'> = {
    find(collection, ...by) {
      const records = reads.find('', collection, ...by);
      count += records.length;
      return records;
    },
  };
  return { reader, readCount: () => count };
}

it('a settlement has all lines of its merchant from its first to its last move, for any payments', async () => {
  const payments = fc.array(fc.tuple(merchant, fc.uniqueArray(merchant)), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(payments, merchant, fc.nat(29), fc.nat(29), async (orders, merchantId, one, other) => {
      const all = orders.map(([initiator, receivers], index) => makePaidPayment(index + 1, initiator, receivers));
      const settlement = settlementOf(merchantId, Math.min(one, other) + 1, Math.max(one, other) + 1);
      const { reader } = readerOf(all);
      const expected = all
        .flatMap((record) => linesOfRecord('payments', record))
        .filter((line) => isInSettlement(settlement, line))
        .sort((a, b) => a.move - b.move);
      expect(await readLines(settlement, reader)).toEqual(expected);
    }),
    { numRuns: cases(300) },
  );
});

it('reading the lines of a settlement skips records of other merchants, and records before its first one', async () => {
  const all = Array.from({ length: 1000 }, (_, index) => makePaidPayment(index + 1, `M-${1000 + (index % 100)}`, []));
  const { reader, readCount } = readerOf(all);
  expect(await readLines(settlementOf('M-1005', 801, 1000), reader)).toHaveLength(2);
  expect(readCount()).toBe(2);
});
