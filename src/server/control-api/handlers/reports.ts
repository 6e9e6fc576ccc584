import type { ReportQuery, ReportsQuery, ReportView } from '../../../base/schema/generated/control.ts';
import { reportAddress } from '../../domain/books/merchant-reports/report-address.ts';
import type { IssuedReport } from '../../domain/books/merchant-reports/report-type.ts';
import { REPORT_TYPES, reportContent, reportsOf } from '../../domain/books/merchant-reports/reports.ts';
import { bearerIn, merchantOfBearer } from '../../domain/merchants/bearer.ts';
import type { Reader } from '../../sessions/reader.ts';
import {
  type ControlOperation,
  itemOf,
  listOf,
  PlainText,
  type SessionCall,
  sessionRow,
} from '../control-operation.ts';
import { keyOfNumber } from '../cursor.ts';
import { REPORT_TEXTS } from '../example-texts.ts';
import { type ListOrder, matchesFilters, pageOf } from '../lists.ts';
import { viewTime } from '../views.ts';

/** The key begins with the time, so that a report that is issued while a client pages is not on a later page. */
const BY_ISSUE_TIME: ListOrder<IssuedReport & { type: string }> = {
  name: 'reports',
  keyOf: ({ issuedAt, type, id, version }) => `${keyOfNumber(issuedAt)} ${type} ${id} ${version}`,
};

export const REPORT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, ReportsQuery>({
    name: 'listReports',
    summary: "List a merchant's reports",
    description:
      'The reports that the merchant of the access token has received so far, newest first, each with the address to fetch it from.',
    authentication: 'merchant',
    method: 'GET',
    path: '/reports',
    query: 'control/reports-query',
    response: listOf('control/report'),
    handle: async (call) => {
      const { limit, cursor, ...filters } = call.query;
      return call.session.read(async (reader) => {
        const reports = await reportsOf(reader, await merchantIdOf(reader, call));
        const matching = reports.filter((report) => matchesFilters(report, filters));
        const { items, nextCursor } = await pageOf(BY_ISSUE_TIME, matching, { limit, cursor }, true);
        return { items: items.map((report) => viewReport(report, reader)), nextCursor };
      });
    },
  }),
  sessionRow<undefined, ReportQuery>({
    name: 'getReport',
    summary: "Get a merchant's report",
    description:
      'One report of the merchant of the access token, in the latest version unless `version` says otherwise. 404 for a report of another merchant, and for a report that does not exist yet.',
    authentication: 'merchant',
    refusals: ['unknown-record'],
    method: 'GET',
    path: '/reports/{type}/{id}',
    query: 'control/report-query',
    response: { ...itemOf('control/report-content'), texts: REPORT_TEXTS },
    handle: async (call) => {
      const { type = '', id = '' } = call.parameters;
      const { version, format } = call.query;
      const content = await call.session.read(async (reader) =>
        reportContent(reader, merchantIdOf(reader, call), { type, id, version, format }),
      );
      return 'text' in content ? new PlainText(content.mediaType, content.text) : content.members;
    },
  }),
];

function merchantIdOf(reader: Reader, { authorization }: Pick<SessionCall, 'authorization'>): string {
  return merchantOfBearer(reader, bearerIn(authorization)).id;
}

function viewReport(report: IssuedReport & { type: string }, { addresses }: Reader): ReportView {
  const { type, issuedAt, latestVersion: _, ...facts } = report;
  const formats = [...(REPORT_TYPES[type]?.formats ?? [])];
  return { type, ...facts, issuedAt: viewTime(issuedAt), formats, address: reportAddress(addresses, type, report) };
}
