import { Refusal } from '../../../base/refusal.ts';
import type {
  SettlementFileQuery,
  SettlementReturn,
  SettlementsClose,
  SettlementsQuery,
} from '../../../base/schema/control.ts';
import type { Settlement } from '../../../base/schema/records.ts';
import { mismatchesOf } from '../../../domain/scenarios/mismatches.ts';
import { answerKey, shownFile } from '../../../domain/settlement-files/answer-key.ts';
import { settlementCsv } from '../../../domain/settlement-files/csv.ts';
import {
  type ClosedSettlement,
  fileLines,
  type NamedLine,
  settlementFile,
} from '../../../domain/settlement-files/file.ts';
import { shownLines } from '../../../domain/settlement-files/mismatches.ts';
import { linesOf } from '../../../domain/settlements/lines.ts';
import { closeAll, returnSettlement } from '../../../domain/settlements/settlements.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { numberIn } from '../../../store/record-numbers.ts';
import { viewSettlement } from '../book-views.ts';
import { findRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { type ControlOperation, CSV, listOf, one, PlainText, sessionRow } from '../operation.ts';

/** What merchants are paid, and the files that say for what. */
export const SETTLEMENT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, SettlementsQuery>({
    name: 'listSettlements',
    summary: 'List settlements',
    description:
      'Settlements, newest first; an open one collects the movements until its cut-off. Paginated: pass `nextCursor` as `cursor` to get the next page.',
    method: 'GET',
    path: '/settlements',
    query: 'control/settlements-query',
    request: null,
    response: listOf('control/settlement'),
    handle: (call) => listRecords(call, 'settlements', viewSettlement),
  }),
  sessionRow<SettlementsClose>({
    name: 'closeSettlements',
    summary: 'Close settlements',
    description:
      'Closes open settlements now, before their cut-off; later movements belong to another settlement of the same business date. Answers with the settlements that were closed.',
    method: 'POST',
    path: '/settlements/close',
    query: null,
    request: 'control/settlements-close',
    response: listOf('control/settlement'),
    handle: ({ happen, body }) =>
      happen(async (transaction) => {
        const closed = await closeAll(transaction, body, mismatchesOf);
        return { items: closed.map(viewSettlement), nextCursor: null };
      }),
  }),
  sessionRow({
    name: 'getSettlement',
    summary: 'Get a settlement',
    description: 'One settlement with its totals.',
    method: 'GET',
    path: '/settlements/{id}',
    query: null,
    request: null,
    response: one('control/settlement'),
    handle: async ({ session, parameters }) =>
      viewSettlement(await session.read((reader) => findRecord(reader, 'settlements', parameters['id']))),
  }),
  sessionRow<undefined, SettlementFileQuery>({
    name: 'getSettlementFile',
    summary: 'Get a settlement file',
    description:
      'The file that a merchant receives for a closed settlement: JSON with money in minor units, or CSV (`format=csv`) with the columns defined in the fixture settlement.json.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/file',
    query: 'control/settlement-file-query',
    request: null,
    response: one('control/settlement-file'),
    handle: async ({ session, parameters, query: { format = 'json', as = 'shown' } }) => {
      const { settlement, booked, shown } = await session.read((reader) => filesOf(reader, parameters['id']));
      const file = as === 'booked' ? settlementFile(settlement, booked) : shownFile(settlement, booked, shown);
      return format === 'csv' ? new PlainText(CSV, settlementCsv(file, session.fixtures.settlement.file)) : file;
    },
  }),
  sessionRow({
    name: 'getSettlementAnswerKey',
    summary: 'Get the answer key of a settlement file',
    description:
      'Where the file differs from the books because of the scenario `settlement-mismatches`: what a reconciliation should report, and what it should not.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/answer-key',
    query: null,
    request: null,
    response: one('control/settlement-answer-key'),
    handle: async ({ session, parameters }) => {
      const { settlement, booked, shown, next } = await session.read((reader) => filesOf(reader, parameters['id']));
      return answerKey(settlement, booked, shown, { seed: session.seed, next });
    },
  }),
  sessionRow<SettlementReturn>({
    name: 'returnSettlement',
    summary: 'Return a settlement',
    description:
      "Returns a paid transfer, as if the merchant's bank had sent it back: the next settlement owes it again. 409 if the settlement is not Paid.",
    refusals: ['conflict'],
    method: 'POST',
    path: '/settlements/{id}/return',
    query: null,
    request: 'control/settlement-return',
    response: one('control/settlement'),
    handle: ({ happen, parameters, body }) =>
      happen(async (transaction) => {
        const settlement = await findRecord(transaction, 'settlements', parameters['id']);
        return viewSettlement(await returnSettlement(transaction, settlement, body));
      }),
  }),
];

/** A settlement that is closed with its lines as they are booked and as they are shown, and the next one if that is closed, too. */
async function filesOf(reader: Reader, id: string | undefined) {
  const settlement = requireClosed(await findRecord(reader, 'settlements', id));
  const [booked, late, next] = await Promise.all([
    bookedLines(reader, settlement),
    postponedBefore(reader, settlement),
    closedAfter(reader, settlement),
  ]);
  return {
    settlement,
    booked,
    shown: await shownLines(settlement, booked, {
      seed: reader.seed,
      isKnown: isKnownAtClose(reader, settlement),
      late,
    }),
    next,
  };
}

async function bookedLines(reader: Reader, settlement: ClosedSettlement): Promise<NamedLine[]> {
  return fileLines(settlement, await linesOf(settlement, reader));
}

/** What the file before left for this one to show. */
async function postponedBefore(reader: Reader, { previous }: Settlement): Promise<NamedLine[]> {
  const before = previous === null ? undefined : await reader.get('settlements', previous);
  if (!before?.totals || !before.mismatches?.kinds.includes('next-day')) {
    return [];
  }
  const closed = { ...before, totals: before.totals };
  const shown = await shownLines(closed, await bookedLines(reader, closed), {
    seed: reader.seed,
    isKnown: isKnownAtClose(reader, closed),
  });
  return shown.postponed;
}

const EVERYTHING = { payments: Number.POSITIVE_INFINITY, payouts: Number.POSITIVE_INFINITY };

/** Whether something that there was when a settlement was closed goes by a reference: a file stays as it is, whatever comes later. */
function isKnownAtClose(reader: Reader, { mismatches }: Settlement) {
  const { payments, payouts } = mismatches?.through ?? EVERYTHING;
  return async (text: string): Promise<boolean> => {
    const named = await Promise.all(
      (['paymentId', 'payerReference', 'paymentCode'] as const).map((field) => reader.find('payments', field, text)),
    );
    const others = await reader.find('payouts', 'payerReference', text);
    const isThere = named.flat().some(({ id }) => numberIn('payments', id) <= payments);
    return isThere || others.some(({ id }) => numberIn('payouts', id) <= payouts);
  };
}

async function closedAfter(reader: Reader, { id }: Settlement): Promise<Settlement | undefined> {
  const { items } = await reader.list('settlements', {
    limit: 1,
    where: ({ previous, totals }) => previous === id && totals !== null,
  });
  return items[0];
}

function requireClosed(settlement: Settlement): ClosedSettlement {
  const { id, totals } = settlement;
  if (!totals) {
    throw new Refusal(
      'conflict',
      `${id} is open: it has a file once it is closed, at its cut-off or by POST /settlements/close`,
    );
  }
  return { ...settlement, totals };
}
