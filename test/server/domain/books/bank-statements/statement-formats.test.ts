import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { validateXML } from 'xmllint-wasm';
import type { BankStatement } from '../../../../../src/base/schema/generated/control.ts';
import { camt053 } from '../../../../../src/server/domain/books/bank-statements/camt053.ts';
import { mt940 } from '../../../../../src/server/domain/books/bank-statements/mt940.ts';
import { statementCsv } from '../../../../../src/server/domain/books/bank-statements/statement-csv.ts';
import { anyCharacter } from '../../../../any-character.ts';
import { cases } from '../../../../cases.ts';
import { refusalOf, requireDefined } from '../../workbench.ts';

const SCHEMA = readFileSync(join(import.meta.dirname, 'camt.053.001.08.xsd'), 'utf8');
const FILE = { delimiter: ',', decimalMark: '.', byteOrderMark: false, escapeFormulas: false } as const;

/** Texts from merchants, fixtures and senders of returns can contain any character, including unpaired surrogates. */
const anyText = fc.oneof(
  fc.string({
    unit: fc.oneof(anyCharacter, fc.constantFrom('\uD800', '\uDFFF', '\uFFFE', '\0', '\r', ']]>', '&amp;')),
  }),
  fc.string({
    unit: fc.constantFrom(':', '-', '/', 'é', '漢', '\r\n', '"', ',', '<', 'A'),
    maxLength: 500,
    size: 'max',
  }),
  fc.constant('Account closed'),
);
const anyAmount = fc.oneof(fc.integer({ min: -99_999, max: 99_999 }), fc.constantFrom(1, -1, 99_999_999_999_999));
const anyDate = fc.constantFrom('1970-01-01', '2026-03-02', '2028-12-31', '6999-12-31');
const anyEntry = fc.record({
  id: fc.constantFrom('D381D98727FA21AE', '0000000000000000'),
  type: fc.constantFrom('transfer', 'return', 'payout', 'payout-return'),
  valueDate: anyDate,
  amount: anyAmount,
  reference: fc.constantFrom('settlement-1', 'settlement-999999999'),
  counterparty: fc.constant('Payment service provider'),
  remittance: fc.constant('Settlement of 2026-03-01, settlement-1'),
  code: fc.oneof(fc.constantFrom('', 'AC04'), anyText),
  description: anyText,
});
/** A French IBAN of 27 characters with correct check digits. */
const IBAN = 'FR1420041010050500013M02606';
const anyStatement: fc.Arbitrary<BankStatement> = fc
  .record({
    date: anyDate,
    number: fc.integer({ min: 1, max: 366 }),
    bank: fc.record({
      bankBICCode: fc.oneof(fc.constantFrom('FSBKZZ22', 'FSBKZZ22XXX'), anyText),
      accountNumber: fc.oneof(fc.constantFrom('M-1000', IBAN, 'FR1420041010050500013M02607'), anyText),
    }),
    currency: fc.constantFrom('USD', 'ZZZ'),
    status: fc.constantFrom('preliminary', 'final'),
    opening: anyAmount,
    entries: fc.array(anyEntry, { maxLength: 5 }),
  })
  .map(({ entries, ...statement }) => {
    const { date, currency, opening } = statement;
    return {
      id: '20260302A0D8876C',
      ...statement,
      createdAt: '2026-03-02T22:00:00.000Z',
      environment: 'sandbox',
      closing: entries.reduce((sum, { amount }) => sum + amount, opening),
      entries: entries.map((entry) => ({
        ...entry,
        bookingDate: date,
        currency,
        direction: entry.amount < 0 ? 'debit' : 'credit',
        settlementId: entry.reference,
      })),
    };
  });

const decimal = (amount: number) => (Math.abs(amount) / 100).toFixed(2);
/** The memory of the validator is only sufficient for a few thousand files. */
const FILES_AT_ONCE = 300;

it('the camt.053 of a statement is valid for any texts, and has the content of the statement', async () => {
  const statements = fc.sample(anyStatement, cases(300));
  const files = statements.map((statement, index) => ({ fileName: `${index}.xml`, contents: camt053(statement) }));
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const xml = files.slice(start, start + FILES_AT_ONCE);
    const { errors, valid } = await validateXML({ xml, schema: SCHEMA });
    expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([]);
    expect(valid).toBe(true);
  }
  for (const [index, { status, bank, opening, closing, entries }] of statements.entries()) {
    const { accountNumber } = bank;
    const text = requireDefined(files[index]).contents;
    const all = (name: string) =>
      [...text.matchAll(new RegExp(`<${name}[ >][^<]*?>?([^<>]*)</${name}>`, 'g'))].map(([, value = '']) => value);
    const amounts = [opening, closing, ...entries.flatMap(({ amount }) => [amount, amount])];
    expect(all('Amt')).toEqual(amounts.map(decimal));
    expect(all('CdtDbtInd')).toEqual(amounts.map((amount) => (amount < 0 ? 'DBIT' : 'CRDT')));
    expect(all('EndToEndId')).toEqual(entries.map(({ reference }) => reference));
    expect(all('IBAN')).toEqual(accountNumber === IBAN ? [IBAN] : []);
    expect(text.includes('CLBD')).toBe(status === 'final');
  }
});

it('the camt.053 schema in this folder rejects a missing, misplaced or overlong element, and an invalid character', async () => {
  const [statement] = fc.sample(
    anyStatement.filter(({ entries }) => entries.length > 0),
    1,
  );
  const text = camt053(requireDefined(statement));
  const invalidTexts = [
    text.replace(/<Sts>.*?<\/Sts>/s, ''),
    text.replace(/(<NtryRef>.*<\/NtryRef>)(\s*)(<Amt.*<\/Amt>)/, '$3$2$1'),
    text.replace('<MsgId>', `<MsgId>${'x'.repeat(20)}`),
    text.replace('</Document>', '\0</Document>'),
  ];
  for (const xml of invalidTexts) {
    expect(xml).not.toBe(text);
    expect((await validateXML({ xml, schema: SCHEMA })).valid).toBe(false);
  }
});

/** Fields of an MT940 by tag: a line without a tag continues the previous field. */
function fieldsOf(text: string): [tag: string, value: string][] {
  expect(text.endsWith('\r\n-\r\n')).toBe(true);
  const fields: [string, string][] = [];
  for (const line of text.split('\r\n').slice(0, -2)) {
    const [, tag, value] = /^:(\d\d[A-Z]?):(.*)$/.exec(line) ?? [];
    if (tag !== undefined && value !== undefined) {
      fields.push([tag, value]);
    } else {
      const last = requireDefined(fields.at(-1));
      fields[fields.length - 1] = [last[0], `${last[1]}\n${line}`];
    }
  }
  return fields;
}

const X = "[A-Za-z0-9/?:().,'+ -]";
const AMOUNT = '(?=[\\d,]{1,15}(?!\\d))\\d+,\\d\\d';
/** The form of each field. Source: SWIFT's standards for MT940. */
const FIELDS: Readonly<Record<string, RegExp>> = {
  '20': new RegExp(`^${X}{1,16}$`),
  '25': new RegExp(`^${X}{1,35}$`),
  '28C': /^\d{1,5}\/\d{1,5}$/,
  '60F': new RegExp(`^[CD]\\d{6}[A-Z]{3}${AMOUNT}$`),
  '61': new RegExp(`^\\d{6}\\d{4}[CD]${AMOUNT}N[A-Z]{3}(?!.*//.*//)(${X}{1,16}?)//(${X}{1,16})$`),
  '86': new RegExp(`^${X}{1,65}(?:\\n(?![:-])${X}{1,65}){0,5}$`),
  '62M': new RegExp(`^[CD]\\d{6}[A-Z]{3}${AMOUNT}$`),
  '62F': new RegExp(`^[CD]\\d{6}[A-Z]{3}${AMOUNT}$`),
};

it('the MT940 of a statement has valid characters and lengths for any texts, and the content of the statement', async () => {
  await fc.assert(
    fc.asyncProperty(anyStatement, async (statement) => {
      const { status, bank, opening, closing, entries } = statement;
      const closingTag = status === 'final' ? '62F' : '62M';
      const amounts = [opening, ...entries.map(({ amount }) => amount), closing];
      if (amounts.some((amount) => decimal(amount).length > 15)) {
        expect((await refusalOf(Promise.resolve().then(() => mt940(statement)))).kind).toBe('conflict');
        return;
      }
      const fields = fieldsOf(mt940(statement));
      expect(fields.map(([tag]) => tag)).toEqual([
        '20',
        '25',
        '28C',
        '60F',
        ...entries.flatMap(() => ['61', '86']),
        closingTag,
      ]);
      for (const [tag, value] of fields) {
        expect(value).toMatch(requireDefined(FIELDS[tag]));
      }
      const [, account] = requireDefined(fields[1]);
      expect(bank.accountNumber === IBAN ? account.endsWith(IBAN) : true).toBe(true);
      const money = fields
        .filter(([tag]) => /^6/.test(tag))
        .map(([, value]) => /([CD])[^,]*?(\d+,\d\d)/.exec(value.replace(/[A-Z]{3}(?=\d+,)/, '')));
      expect(money.map((match) => [match?.[1], match?.[2]])).toEqual(
        amounts.map((amount) => [
          amount < 0 ? 'D' : 'C',
          expect.stringMatching(new RegExp(`${decimal(amount).replace('.', ',')}$`)),
        ]),
      );
      const references = fields
        .filter(([tag]) => tag === '86')
        .map(([, value]) => /^\/EREF\/([^/]*)\//.exec(value.replaceAll('\n', ''))?.[1]);
      expect(references).toEqual(entries.map(({ reference }) => reference));
    }),
    { numRuns: cases(300) },
  );
});

it('the CSV of a statement has balances from opening to closing, and escapes formulas if the setting is on', () => {
  fc.assert(
    fc.property(anyStatement, (statement) => {
      const plain = {
        ...statement,
        entries: statement.entries.map((entry) => ({ ...entry, code: '', description: '=1' })),
      };
      const text = statementCsv(
        { ...plain, bank: { bankBICCode: 'B', accountNumber: '1' } },
        { ...FILE, columns: ['line'], delimiter: ';' },
      );
      const [names = [], ...rows] = text
        .split('\r\n')
        .slice(0, -1)
        .map((line) => line.split(';'));
      const column = (name: string) => rows.map((row) => row[names.indexOf(name)]);
      const cents = (cells: (string | undefined)[]) => cells.map((cell) => Math.round(Number(cell) * 100));
      const amounts = cents(column('amount').slice(1, -1));
      expect(column('record')).toEqual(['O', ...plain.entries.map(() => 'E'), 'C']);
      expect(amounts).toEqual(plain.entries.map(({ amount }) => amount));
      let balance = plain.opening;
      const balances = [balance, ...amounts.map((amount) => (balance += amount)), plain.closing];
      expect(cents(column('balance'))).toEqual(balances);
    }),
    { numRuns: cases(100) },
  );
  const [statement] = fc.sample(anyStatement, 1);
  const { date, ...rest } = requireDefined(statement);
  const account = { ...rest, date, bank: { bankBICCode: 'FSBKZZ22', accountNumber: '=1+1' } };
  expect(statementCsv(account, { ...FILE, columns: ['line'] })).toContain(',=1+1,');
  expect(statementCsv(account, { ...FILE, columns: ['line'], escapeFormulas: true })).toContain(",'=1+1,");
});
