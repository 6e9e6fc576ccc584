import { Refusal } from '../../base/refusal.ts';
import { bankDayOf, statementsOf, unbookedBecause } from '../bank-statements/account.ts';
import { bankCalendar, bookingDateOf } from '../bank-statements/entries.ts';
import { STATEMENT_FORMS, statementIn } from '../bank-statements/forms.ts';
import type { ReportType } from './report-type.ts';

/** The statements of the merchant's bank account, each by the settlement whose transfer the bank booked on its day. */
export const BANK_STATEMENTS: ReportType = {
  formats: STATEMENT_FORMS,
  async issuedTo(reader, merchantId) {
    const settlements = await reader.find('settlements', 'merchantId', merchantId);
    return settlements.flatMap((settlement) => {
      const { id, environment, currency, history } = settlement;
      const paid = history.find(({ to }) => to === 'Paid');
      const businessDate = bookingDateOf(settlement, bankCalendar(reader.fixtures));
      const isThere = paid && businessDate !== undefined && unbookedBecause(reader, settlement) === undefined;
      return isThere ? [{ id, version: 1, environment, currency, businessDate, issuedAt: paid.at }] : [];
    });
  },
  async contentOf(reader, merchantId, { id, version = 1, format }) {
    const settlement = await reader.get('settlements', id);
    if (settlement?.merchantId !== merchantId) {
      throw new Refusal('unknown-record', `this merchant has no bank-statement ${JSON.stringify(id)}`);
    }
    const reason = unbookedBecause(reader, settlement);
    if (reason !== undefined) {
      throw new Refusal('unknown-record', `the bank-statement ${id} is not there yet: ${reason}`);
    }
    if (version > 1) {
      throw new Refusal('unknown-record', `the bank-statement ${id} has no version ${version}`);
    }
    const { shown } = await statementsOf(reader, settlement, bankDayOf(reader, settlement, undefined));
    return statementIn(STATEMENT_FORMS.find((form) => form === format) ?? 'json', shown, reader.fixtures);
  },
};
