import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import { type BankEntry, isReturn } from './bank-entries.ts';
import type { BankStatement } from './bank-statement.ts';
import { isIban } from './iban.ts';
import { type XmlElement, xmlDocument, xmlText } from './xml-document.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
/** The length of the codes in ISO 20022's list of return reasons. */
const MAX_REASON_LENGTH = 4;
const NOT_PROVIDED = 'NOTPROVIDED';

/** Family and sub-family of a payment (PMNT), by type of entry and whether the account is the creditor's or the debtor's. */
const TRANSACTION_CODES = {
  transfer: { creditor: ['RCDT', 'DMCT'], debtor: ['RDDT', 'PMDD'] },
  return: { creditor: ['RCDT', 'RRTN'], debtor: ['RDDT', 'UPDD'] },
  payout: { creditor: ['RCDT', 'DMCT'], debtor: ['ICDT', 'DMCT'] },
  'payout-return': { creditor: ['RCDT', 'RRTN'], debtor: ['ICDT', 'RRTN'] },
} as const;

/** A statement as ISO 20022's BankToCustomerStatementV08, camt.053.001.08. */
export function camt053(statement: BankStatement): string {
  const { id, status, number, createdAt, bank, currency, date, opening, closing, entries } = statement;
  const { bankBICCode, accountNumber } = bank;
  const bic = BIC.test(bankBICCode) ? [text('BICFI', bankBICCode, 11)] : [element('Othr', text('Id', bankBICCode, 35))];
  return xmlDocument({
    name: 'Document',
    attributes: { xmlns: NAMESPACE },
    content: [
      element(
        'BkToCstmrStmt',
        element('GrpHdr', text('MsgId', id, 35), text('CreDtTm', createdAt, 35)),
        element(
          'Stmt',
          text('Id', id, 35),
          text('ElctrncSeqNb', String(number), 18),
          text('CreDtTm', createdAt, 35),
          element(
            'Acct',
            element(
              'Id',
              isIban(accountNumber)
                ? text('IBAN', accountNumber, 34)
                : element('Othr', text('Id', accountNumber || NOT_PROVIDED, 34)),
            ),
            text('Ccy', currency, 3),
            element('Svcr', element('FinInstnId', ...bic)),
          ),
          balance('OPBD', opening, statement),
          // Until the day has ended, its closing balance is an interim booked balance.
          balance(status === 'final' ? 'CLBD' : 'ITBD', closing, statement),
          element(
            'TxsSummry',
            totals('TtlCdtNtries', entries.filter(isCredit)),
            totals(
              'TtlDbtNtries',
              entries.filter((entry) => !isCredit(entry)),
            ),
          ),
          ...entries.map((entry) => entryElement(entry, date)),
        ),
      ),
    ],
  });
}

function entryElement(entry: BankEntry, date: string): XmlElement {
  const { id, type, valueDate, amount, currency, reference, remittance, counterparty } = entry;
  // A return has the parties of the original transfer.
  const isDebtorAccount = isReturn(entry) ? amount >= 0 : amount < 0;
  const [family, subFamily] = TRANSACTION_CODES[type][isDebtorAccount ? 'debtor' : 'creditor'];
  const party = element('Pty', text('Nm', counterparty, 140));
  return element(
    'Ntry',
    text('NtryRef', id, 35),
    money('Amt', amount, currency),
    text('CdtDbtInd', directionCode(amount), 4),
    element('Sts', text('Cd', 'BOOK', 4)),
    element('BookgDt', text('Dt', date, 10)),
    element('ValDt', text('Dt', valueDate, 10)),
    text('AcctSvcrRef', id, 35),
    element(
      'BkTxCd',
      element('Domn', text('Cd', 'PMNT', 4), element('Fmly', text('Cd', family, 4), text('SubFmlyCd', subFamily, 4))),
    ),
    element(
      'NtryDtls',
      element(
        'TxDtls',
        element('Refs', text('AcctSvcrRef', id, 35), text('EndToEndId', reference, 35)),
        money('Amt', amount, currency),
        text('CdtDbtInd', directionCode(amount), 4),
        element('RltdPties', element(isDebtorAccount ? 'Cdtr' : 'Dbtr', party)),
        element('RmtInf', text('Ustrd', remittance, 140)),
        ...(isReturn(entry) ? [returnElement(entry)] : []),
      ),
    ),
  );
}

function returnElement({ code, description }: BankEntry): XmlElement {
  const canBeIsoCode = xmlText(code, MAX_REASON_LENGTH) === code;
  return element(
    'RtrInf',
    element('Rsn', canBeIsoCode ? text('Cd', code, MAX_REASON_LENGTH) : text('Prtry', code, 35)),
    text('AddtlInf', description, 105),
  );
}

function balance(code: string, amount: MinorUnits, { currency, date }: BankStatement): XmlElement {
  return element(
    'Bal',
    element('Tp', element('CdOrPrtry', text('Cd', code, 4))),
    money('Amt', amount, currency),
    text('CdtDbtInd', directionCode(amount), 4),
    element('Dt', text('Dt', date, 10)),
  );
}

function totals(name: string, entries: readonly BankEntry[]): XmlElement {
  const sum = entries.reduce((total, { amount }) => total + Math.abs(amount), 0);
  return element(name, text('NbOfNtries', String(entries.length), 15), text('Sum', toDecimalText(sum), 18));
}

function money(name: string, amount: MinorUnits, currency: string): XmlElement {
  return { name, content: toDecimalText(Math.abs(amount)), attributes: { Ccy: currency } };
}

function element(name: string, ...content: XmlElement[]): XmlElement {
  return { name, content };
}

function text(name: string, content: string, maxLength: number): XmlElement {
  return { name, content: xmlText(content, maxLength) };
}

function directionCode(amount: MinorUnits): string {
  return amount < 0 ? 'DBIT' : 'CRDT';
}

function isCredit({ amount }: BankEntry): boolean {
  return amount >= 0;
}
