import { Refusal } from '../../../../base/refusal.ts';
import { formatUtc } from '../../../../base/time.ts';
import { statementsOfMerchant } from '../bank-statements/account-statements.ts';
import { formatStatement, STATEMENT_FORMATS } from '../bank-statements/statement-formats.ts';
import type { ReportType } from './report-type.ts';

/** The statements of the accounts that a merchant is paid to. Each is issued when its day has ended. */
export const BANK_STATEMENTS: ReportType = {
  formats: STATEMENT_FORMATS,
  async listIssued(reader, merchantId) {
    const statements = await statementsOfMerchant(reader, merchantId);
    return statements
      .filter(({ writtenAt }) => writtenAt <= reader.now)
      .map(({ id, account: { environment, currency }, date: businessDate, writtenAt: issuedAt }) => {
        return { id, version: 1, environment, currency, businessDate, issuedAt };
      });
  },
  async contentOf(reader, merchantId, { id, version = 1, format }) {
    const dailyStatement = (await statementsOfMerchant(reader, merchantId)).find((each) => each.id === id);
    if (!dailyStatement) {
      throw new Refusal('unknown-record', `this merchant has no bank-statement ${JSON.stringify(id)}`);
    }
    const { writtenAt } = dailyStatement;
    if (writtenAt > reader.now) {
      const when = `it will be issued at ${formatUtc(writtenAt)} by the session's clock`;
      throw new Refusal('unknown-record', `the bank-statement ${id} does not exist yet: ${when}`);
    }
    if (version > 1) {
      throw new Refusal('unknown-record', `the bank-statement ${id} has no version ${version}`);
    }
    const knownFormat = STATEMENT_FORMATS.find((each) => each === format) ?? 'json';
    return formatStatement(knownFormat, dailyStatement.statement(), reader.fixtures);
  },
};
