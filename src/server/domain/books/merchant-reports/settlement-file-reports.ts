import { Refusal } from '../../../../base/refusal.ts';
import { runInTurns } from '../../../../base/run-in-turns.ts';
import type { Settlement } from '../../../../base/schema/generated/records.ts';
import { durationInWords } from '../../../../base/text/duration-words.ts';
import { formatUtc } from '../../../../base/time.ts';
import { CSV_TYPE } from '../settlement-files/csv-text.ts';
import { settlementCsv } from '../settlement-files/settlement-csv.ts';
import { fileOf, shownSettlement } from '../settlement-files/shown-settlement.ts';
import { issuesOf, latestVersion, nextIssue } from '../settlements/report-issues.ts';
import type { ReportType } from './report-type.ts';

/** The files of settlements, by the settlement's id. */
export const SETTLEMENT_FILES: ReportType = {
  formats: ['json', 'csv'],
  async listIssued(reader, merchantId) {
    const settlements = reader.find('settlements', 'merchantId', merchantId);
    return settlements.flatMap((settlement) => {
      const { id, environment, currency, businessDate } = settlement;
      return issuesOf(settlement).map(({ version, at: issuedAt }) => {
        const versions = { version, latestVersion: latestVersion(settlement) };
        return { id, ...versions, environment, currency, businessDate, issuedAt };
      });
    });
  },
  async contentOf(reader, merchantId, { id, version, format }) {
    const settlement = reader.get('settlements', id);
    if (settlement?.merchantId !== merchantId) {
      throw new Refusal('unknown-record', `this merchant has no settlement-file ${JSON.stringify(id)}`);
    }
    if (issuesOf(settlement).length === 0) {
      throw new Refusal(
        'unknown-record',
        `the settlement-file ${id} does not exist yet: ${describeIssueTime(settlement)}`,
      );
    }
    const file = await fileOf(await shownSettlement(reader, settlement, version));
    return format === 'csv'
      ? { mediaType: CSV_TYPE, text: await runInTurns(settlementCsv(file, reader.fixtures.settlement.file)) }
      : { members: file };
  },
};

function describeIssueTime(settlement: Settlement): string {
  const next = nextIssue(settlement);
  if (settlement.state === 'Open') {
    return 'its settlement is open until its cut-off';
  }
  return next
    ? `it will be issued at ${formatUtc(next.at)} by the session's clock`
    : `it will be issued ${durationInWords(settlement.reports?.late ?? 'PT0S')} after its settlement was paid`;
}
