import { linesOf } from '../../domain/settlements/lines.ts';
import { closeAll, returnSettlement } from '../../domain/settlements/settlements.ts';
import { Refusal } from '../../refusal.ts';
import type {
  SettlementFileQuery,
  SettlementReturn,
  SettlementsClose,
  SettlementsQuery,
} from '../../schema/control.ts';
import type { Settlement } from '../../schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { settlementCsv } from '../../wire/settlement-csv.ts';
import { type ClosedSettlement, fileLines, type SettlementFile, settlementFile } from '../../wire/settlement-file.ts';
import { findRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { type ControlOperation, listOf, one, PlainText, sessionRow } from '../operation.ts';
import { viewSettlement } from '../views.ts';

/** By this type spreadsheets and libraries know the form. Source: RFC 4180. */
const CSV = 'text/csv; charset=utf-8; header=present';

/** What merchants are paid, and the files that say for what. */
export const SETTLEMENT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, SettlementsQuery>({
    name: 'listSettlements',
    summary: 'List settlements',
    description:
      'Settlements, newest first; those that are open gather what moves until their cut-off. Answers with a page; `cursor` takes the `nextCursor` of the page before.',
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
      'Closes open settlements now, before their cut-off: what moves later is of another settlement of the same business date. Answers with those that were closed.',
    method: 'POST',
    path: '/settlements/close',
    query: null,
    request: 'control/settlements-close',
    response: listOf('control/settlement'),
    handle: ({ session, body }) =>
      session.transact(async (transaction) => {
        const closed = await closeAll(transaction, body);
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
      'The file that a merchant gets of a settlement that is closed: JSON, money in minor units, or CSV (`format=csv`) with the columns of the fixture settlement.json.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/file',
    query: 'control/settlement-file-query',
    request: null,
    response: one('control/settlement-file'),
    handle: async ({ session, parameters, query: { format = 'json' } }) => {
      const file = await session.read((reader) => fileOf(reader, parameters['id']));
      return format === 'csv' ? new PlainText(CSV, settlementCsv(file, session.fixtures.settlement.file)) : file;
    },
  }),
  sessionRow<SettlementReturn>({
    name: 'returnSettlement',
    summary: 'Return a settlement',
    description:
      "The merchant's bank sends a transfer that was paid back: the next settlement owes it again. 409 where it is not paid.",
    refusals: ['conflict'],
    method: 'POST',
    path: '/settlements/{id}/return',
    query: null,
    request: 'control/settlement-return',
    response: one('control/settlement'),
    handle: ({ session, parameters, body }) =>
      session.transact(async (transaction) => {
        const settlement = await findRecord(transaction, 'settlements', parameters['id']);
        return viewSettlement(await returnSettlement(transaction, settlement, body));
      }),
  }),
];

async function fileOf(reader: Reader, id: string | undefined): Promise<SettlementFile> {
  const settlement = await findRecord(reader, 'settlements', id);
  const closed = requireClosed(settlement);
  return settlementFile(closed, fileLines(closed, await linesOf(settlement, reader)));
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
