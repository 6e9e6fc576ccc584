import { runInTurns } from '../../../base/run-in-turns.ts';
import type {
  SettlementAnswerKeyQuery,
  SettlementFileQuery,
  SettlementReturn,
  SettlementsClose,
  SettlementsQuery,
} from '../../../base/schema/generated/control.ts';
import type { Settlement } from '../../../base/schema/generated/records.ts';
import { answerKey } from '../../domain/books/settlement-files/answer-key.ts';
import { CSV_TYPE } from '../../domain/books/settlement-files/csv-text.ts';
import { settlementCsv } from '../../domain/books/settlement-files/settlement-csv.ts';
import { settlementFile } from '../../domain/books/settlement-files/settlement-file.ts';
import { fileOf, type ShownSettlement, shownSettlement } from '../../domain/books/settlement-files/shown-settlement.ts';
import { closeAll, returnSettlement } from '../../domain/books/settlements/settlements.ts';
import { filePlanOf } from '../../domain/scenarios/file-plan.ts';
import type { Reader } from '../../sessions/reader.ts';
import { viewSettlement } from '../book-views.ts';
import { type ControlOperation, itemOf, listOf, PlainText, sessionRow } from '../control-operation.ts';
import { SETTLEMENT_FILE_TEXTS } from '../example-texts.ts';
import { findRecord, readRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { bankStatementKey } from './bank-statements.ts';

export const SETTLEMENT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, SettlementsQuery>({
    name: 'listSettlements',
    summary: 'List settlements',
    description: 'Settlements, newest first. An open one collects movements until its cut-off.',
    method: 'GET',
    path: '/settlements',
    query: 'control/settlements-query',
    response: listOf('control/settlement'),
    handle: (call) => listRecords(call, 'settlements', viewSettlement),
  }),
  sessionRow<SettlementsClose>({
    name: 'closeSettlements',
    summary: 'Close settlements',
    description:
      'Closes open settlements now, before their cut-off; later movements belong to another settlement of the same business date. Answers with the closed settlements.',
    method: 'POST',
    path: '/settlements/close',
    request: 'control/settlements-close',
    response: listOf('control/settlement'),
    handle: ({ changeRecords, body }) =>
      changeRecords(async (transaction) => {
        const settlements = await closeAll(transaction, body, filePlanOf);
        return { items: settlements.map(viewSettlement), nextCursor: null };
      }),
  }),
  sessionRow({
    name: 'getSettlement',
    summary: 'Get a settlement',
    description: 'One settlement with its totals.',
    method: 'GET',
    path: '/settlements/{id}',
    response: itemOf('control/settlement'),
    handle: async (call) => viewSettlement(await readRecord(call, 'settlements')),
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
    response: { ...itemOf('control/settlement-file'), texts: SETTLEMENT_FILE_TEXTS },
    handle: async ({ session, parameters, query: { format = 'json', as = 'shown', version } }) => {
      const shownFile = await session.read((reader) => findShownSettlement(reader, parameters['id'], version));
      const { settlement, booked, shown } = shownFile;
      const file =
        as === 'booked' ? await runInTurns(settlementFile(settlement, booked, shown.version)) : await fileOf(shownFile);
      const { file: options } = session.fixtures.settlement;
      return format === 'csv' ? new PlainText(CSV_TYPE, await runInTurns(settlementCsv(file, options))) : file;
    },
  }),
  sessionRow<undefined, SettlementAnswerKeyQuery>({
    name: 'getSettlementAnswerKey',
    summary: 'Get the answer key of a settlement file',
    description:
      'Where the file and the bank statement differ from the books because of the scenarios `settlement-mismatches` and `bank-statement-mismatches`: what a reconciliation should report, and what it should not.',
    refusals: ['conflict'],
    method: 'GET',
    path: '/settlements/{id}/answer-key',
    query: 'control/settlement-answer-key-query',
    response: itemOf('control/settlement-answer-key'),
    handle: async ({ session, parameters, query: { date, version } }) => {
      const readFileAndStatement = async (reader: Reader) => {
        const file = await findShownSettlement(reader, parameters['id'], version);
        const { settlement } = file;
        const [next, statement] = await Promise.all([
          findNextClosed(reader, settlement),
          bankStatementKey(reader, settlement, date),
        ]);
        return { ...file, next, statement };
      };
      const { settlement, booked, shown, next, statement } = await session.read(readFileAndStatement);
      const key = await runInTurns(answerKey(settlement, booked, shown, { seed: session.state.seed, next }));
      return { ...key, statement };
    },
  }),
  sessionRow<SettlementReturn>({
    name: 'returnSettlement',
    summary: 'Return a settlement',
    description:
      "Returns a paid transfer, as if the merchant's bank had sent it back: the amount is added to the next settlement. 409 if the settlement is not Paid.",
    refusals: ['conflict'],
    method: 'POST',
    path: '/settlements/{id}/return',
    request: 'control/settlement-return',
    response: itemOf('control/settlement'),
    handle: ({ changeRecords, parameters, body }) =>
      changeRecords(async (transaction) => {
        const settlement = await findRecord(transaction, 'settlements', parameters['id']);
        return viewSettlement(returnSettlement(transaction, settlement, body));
      }),
  }),
];

async function findShownSettlement(
  reader: Reader,
  id: string | undefined,
  version: number | undefined,
): Promise<ShownSettlement> {
  return shownSettlement(reader, await findRecord(reader, 'settlements', id), version);
}

async function findNextClosed(reader: Reader, { id }: Settlement): Promise<Settlement | undefined> {
  const { items } = await reader.list('settlements', {
    limit: 1,
    where: ({ previous, totals }) => previous === id && totals !== null,
  });
  return items[0];
}
