import { Refusal } from '../../../../base/refusal.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { BANK_STATEMENTS } from './bank-statement-reports.ts';
import { FEE_INVOICES } from './fee-invoice-reports.ts';
import type { IssuedReport, ReportBody, ReportType } from './report-type.ts';
import { SETTLEMENT_FILES } from './settlement-file-reports.ts';

/** THE TABLE of reports that a merchant can fetch. */
export const REPORT_TYPES: Readonly<Record<string, ReportType>> = {
  'settlement-file': SETTLEMENT_FILES,
  'bank-statement': BANK_STATEMENTS,
  'fee-invoice': FEE_INVOICES,
};

/** Throws `unknown-record` for an unknown type, `invalid-field` for an unknown format, and the errors of `contentOf`. */
export async function reportContent(
  reader: Reader,
  merchantId: string,
  { type, format, ...request }: { type: string; id: string; version: number | undefined; format: string | undefined },
): Promise<ReportBody> {
  const reportType = Object.hasOwn(REPORT_TYPES, type) ? REPORT_TYPES[type] : undefined;
  if (!reportType) {
    const types = Object.keys(REPORT_TYPES).join(', ');
    throw new Refusal('unknown-record', `there are no reports of type ${JSON.stringify(type)}; there are ${types}`);
  }
  const { formats } = reportType;
  if (format !== undefined && !formats.includes(format)) {
    throw new Refusal('invalid-field', `a ${type} has no format ${format}; it has ${formats.join(', ')}`);
  }
  return reportType.contentOf(reader, merchantId, { ...request, format: format ?? formats[0] });
}

export async function reportsOf(reader: Reader, merchantId: string): Promise<(IssuedReport & { type: string })[]> {
  const lists = Object.entries(REPORT_TYPES).map(async ([type, { listIssued }]) =>
    (await listIssued(reader, merchantId)).map((report) => ({ type, ...report })),
  );
  return (await Promise.all(lists)).flat();
}
