import { Refusal } from '../../../../base/refusal.ts';
import { mapInTurns, runInTurns } from '../../../../base/run-in-turns.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { readLines } from '../settlements/read-lines.ts';
import { latestVersion } from '../settlements/report-issues.ts';
import { shownFile } from './answer-key.ts';
import { applyMistakes, type ShownLines } from './apply-mistakes.ts';
import { failedLine } from './failed-line.ts';
import { newReferenceCheck } from './reference-check.ts';
import { type ClosedSettlement, type LineWithId, lineWithId, type SettlementFile } from './settlement-file.ts';

/** A closed settlement, with its lines as booked and as a version of its file shows them. */
export interface ShownSettlement {
  settlement: ClosedSettlement;
  booked: LineWithId[];
  shown: ShownLines;
}

/** A settlement and a version of its file. Throws `conflict` if it is open, `unknown-record` for a version above `latestVersion`. */
export async function shownSettlement(
  reader: Reader,
  record: Settlement,
  version = latestVersion(record),
): Promise<ShownSettlement> {
  const settlement = requireClosed(record);
  if (version > latestVersion(settlement)) {
    throw new Refusal('unknown-record', `${settlement.id} has no version ${version} of its file so far`);
  }
  const [booked, late] = await Promise.all([bookedLines(reader, settlement), lateLines(reader, settlement)]);
  const input = mistakeInputOf(reader, settlement);
  return { settlement, booked, shown: await applyMistakes(settlement, booked, { ...input, late, version }) };
}

/** The file as the merchant receives it. */
export function fileOf({ settlement, booked, shown }: ShownSettlement): Promise<SettlementFile> {
  return runInTurns(shownFile(settlement, booked, shown));
}

/** Does not depend on later records, because otherwise they could change the file. */
function mistakeInputOf(reader: Reader, settlement: ClosedSettlement) {
  const { failed: paymentId } = settlement.mismatches ?? {};
  const payment = paymentId === undefined ? undefined : reader.get('payments', paymentId);
  const line = payment && failedLine(settlement, payment, reader.fixtures);
  return { seed: reader.seed, isKnown: newReferenceCheck(reader, settlement), failedLine: line };
}

async function bookedLines(reader: Reader, settlement: ClosedSettlement): Promise<LineWithId[]> {
  return mapInTurns(await readLines(settlement, reader), (line) => lineWithId(settlement, line));
}

/** The lines that the previous file omitted and this one shows. */
async function lateLines(reader: Reader, { previous }: Settlement): Promise<LineWithId[]> {
  const previousSettlement = previous === null ? undefined : reader.get('settlements', previous);
  if (!previousSettlement?.totals || !previousSettlement.mismatches?.kinds.includes('next-day')) {
    return [];
  }
  const closed = { ...previousSettlement, totals: previousSettlement.totals };
  const shown = await applyMistakes(closed, await bookedLines(reader, closed), mistakeInputOf(reader, closed));
  return shown.postponed;
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
