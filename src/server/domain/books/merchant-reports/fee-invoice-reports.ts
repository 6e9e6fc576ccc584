import { Refusal } from '../../../../base/refusal.ts';
import { findMerchant } from '../../merchants/merchants.ts';
import { CSV_TYPE } from '../settlement-files/csv-text.ts';
import { invoiceCsv, invoiceFile } from '../settlement-files/invoice-file.ts';
import { invoiceIssuedAt, invoiceMonths, invoiceNumber, invoiceOf, lastDayOf } from '../settlements/month-invoice.ts';
import type { ReportType } from './report-type.ts';

/** The invoices of the months in which a merchant has settlements, by their numbers, once they are final. */
export const FEE_INVOICES: ReportType = {
  formats: ['json', 'csv'],
  async listIssued(reader, merchantId) {
    const months = invoiceMonths(merchantId, reader);
    return months.flatMap((month) => {
      const { environment, currency, month: name } = month.key;
      const issuedAt = invoiceIssuedAt(month, reader);
      const [id, businessDate] = [invoiceNumber(month.key), lastDayOf(name)];
      return issuedAt === undefined ? [] : [{ id, version: 1, environment, currency, businessDate, issuedAt }];
    });
  },
  async contentOf(reader, merchantId, { id, version = 1, format }) {
    const months = invoiceMonths(merchantId, reader);
    const month = months.find(({ key }) => invoiceNumber(key) === id);
    if (!month) {
      throw new Refusal('unknown-record', `this merchant has no fee-invoice ${JSON.stringify(id)}`);
    }
    if (invoiceIssuedAt(month, reader) === undefined) {
      const when = `${month.key.month} has ended and all its settlements are closed`;
      throw new Refusal('unknown-record', `the fee-invoice ${id} does not exist yet: it will be issued when ${when}`);
    }
    if (version > 1) {
      throw new Refusal('unknown-record', `the fee-invoice ${id} has no version ${version}`);
    }
    const { name = merchantId } = findMerchant(reader, merchantId) ?? {};
    const invoice = invoiceFile(await invoiceOf(month.key, reader), name);
    return format === 'csv'
      ? { mediaType: CSV_TYPE, text: invoiceCsv(invoice, reader.fixtures.settlement.file) }
      : { members: invoice };
  },
};
