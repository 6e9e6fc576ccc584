const CSV_FILE = 'record,line,settlementId,merchantId,environment\r\nH,,settlement-1,M-1000,sandbox\r\n';
const CSV_STATEMENT =
  'record,statementId,status,bookingDate,valueDate\r\nO,20260303A0D8876C,final,2026-03-03,2026-03-03\r\n';
const CSV_INVOICE = 'record,line,number,status,month\r\nH,,,preliminary,2026-03\r\n';
const CAMT_053 =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">\n</Document>\n';
const MT940 = ':20:20260303A0D8876C\r\n:25:FSBKZZ22/M-1000\r\n:28C:62/1\r\n';

/** Examples of the texts that `format` selects in place of JSON, by media type; shortened for the API reference. */
type ExampleTexts = Readonly<Record<string, string>>;

export const SETTLEMENT_FILE_TEXTS: ExampleTexts = { 'text/csv': CSV_FILE };
export const INVOICE_TEXTS: ExampleTexts = { 'text/csv': CSV_INVOICE };
export const STATEMENT_TEXTS: ExampleTexts = {
  'text/csv': CSV_STATEMENT,
  'application/xml': CAMT_053,
  'text/plain': MT940,
};
/** A report is a settlement file, a bank statement or an invoice; the example in CSV is a settlement file. */
export const REPORT_TEXTS: ExampleTexts = { ...STATEMENT_TEXTS, ...SETTLEMENT_FILE_TEXTS };
