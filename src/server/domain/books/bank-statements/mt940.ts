import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import { Refusal } from '../../../../base/refusal.ts';
import { type BankEntry, isReturn } from './bank-entries.ts';
import { type BankStatement, dayBefore } from './bank-statement.ts';

const MAX_ACCOUNT_LENGTH = 35;
const MAX_REFERENCE_LENGTH = 16;
const MAX_AMOUNT_LENGTH = 15;
const MAX_LINE_LENGTH = 65;
const MAX_LINES = 6;
/** Replaces a reference that is empty or too long for the field; field 86 contains the full reference. */
const NO_REFERENCE = 'NONREF';

/** A statement as SWIFT MT940, without the blocks around the text; lines end with CRLF. Throws `conflict` if an amount is too long. */
export function mt940(statement: BankStatement): string {
  const { id, status, date, number, bank, opening, closing, entries } = statement;
  const lines = [
    `:20:${id}`,
    `:25:${accountField(bank)}`,
    `:28C:${number}/1`,
    `:60F:${balance(opening, dayBefore(date), statement)}`,
    ...entries.flatMap((entry) => [`:61:${entryField(entry)}`, ...informationField(entry)]),
    // Until the day has ended, M marks an intermediate balance.
    `:62${status === 'final' ? 'F' : 'M'}:${balance(closing, date, statement)}`,
    '-',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Bank and account, or only the account if together they are too long for the field; cut to the field's length. */
function accountField({ bankBICCode, accountNumber }: BankStatement['bank']): string {
  const account = swiftText(accountNumber);
  const full = `${swiftText(bankBICCode)}/${account}`;
  return (full.length > MAX_ACCOUNT_LENGTH && account !== '' ? account : full).slice(0, MAX_ACCOUNT_LENGTH);
}

/** Value date, booking date, debit or credit mark, amount, type, the reference of the transfer and, after //, the bank's reference. */
function entryField(entry: BankEntry): string {
  const { id, type, bookingDate, valueDate, amount, reference } = entry;
  const isCollection = type === 'transfer' && amount < 0;
  const kind = isReturn(entry) ? 'NRTI' : isCollection ? 'NDDT' : 'NTRF';
  const text = swiftText(reference);
  const fieldReference = text === '' || text.length > MAX_REFERENCE_LENGTH ? NO_REFERENCE : text;
  return `${shortDate(valueDate)}${shortDate(bookingDate).slice(2)}${directionMark(amount)}${amountText(amount)}${kind}${fieldReference}//${id}`;
}

function informationField({ reference, remittance, counterparty, code, description }: BankEntry): string[] {
  const parts = { EREF: reference, RTRN: code, REMI: remittance, NAME: counterparty, ADDT: description };
  const presentParts = Object.entries(parts).filter(([, value]) => value !== '');
  let remainingText = presentParts.map(([name, value]) => `/${name}/${swiftText(value)}`).join('');
  const lines: string[] = [];
  while (remainingText !== '' && lines.length < MAX_LINES) {
    let length = MAX_LINE_LENGTH;
    // A line must not begin with : or -, because readers would see the next field or the end of the statement.
    while (length > 1 && /^[:-]/.test(remainingText.slice(length))) {
      length -= 1;
    }
    lines.push(remainingText.slice(0, length).replace(/^[:-]/, '.'));
    remainingText = remainingText.slice(length);
  }
  return lines.map((line, index) => (index === 0 ? `:86:${line}` : line));
}

/** A text in SWIFT's character set x: accents are removed; characters outside the set, and the separator /, become full stops. */
function swiftText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9?:().,'+ -]/gu, '.');
}

function balance(amount: MinorUnits, date: string, { currency }: BankStatement): string {
  return `${directionMark(amount)}${shortDate(date)}${currency}${amountText(amount)}`;
}

function directionMark(amount: MinorUnits): string {
  return amount < 0 ? 'D' : 'C';
}

function amountText(amount: MinorUnits): string {
  const text = toDecimalText(Math.abs(amount)).replace('.', ',');
  if (text.length > MAX_AMOUNT_LENGTH) {
    throw new Refusal(
      'conflict',
      `${text} has more than the ${MAX_AMOUNT_LENGTH} characters that an amount has in MT940`,
    );
  }
  return text;
}

/** 2026-03-02 → 260302. */
function shortDate(date: string): string {
  return date.replaceAll('-', '').slice(2);
}
