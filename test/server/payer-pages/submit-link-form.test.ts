import { oneTimeFormToken } from '../../../src/server/domain/pages/form-token.ts';
import { saveLink } from '../../../src/server/domain/payment-links/payment-links.ts';
import { submitLinkForm } from '../../../src/server/payer-pages/submit-link-form.ts';
import { LINK } from '../domain/workbench.ts';
import { sessionOn } from '../sessions/session-under-test.ts';

it('simultaneous submissions of one form initiate one payment', async () => {
  const { session } = await sessionOn({ mode: 'frozen', now: Date.parse('2026-03-01T10:00:00.000Z') });
  const merchant = session.fixtures.merchant('M-1000');
  if (!merchant) {
    throw new Error('the shipped merchant M-1000 is gone');
  }
  const link = await session.transact(async (transaction) =>
    saveLink(transaction, merchant, { ...LINK, type: 'OPEN_FIXED_AMOUNT' }),
  );
  const form = { formToken: oneTimeFormToken(session, `link-${link.id}`, 'pay'), channel: 'qr-wallet', name: 'Ann' };
  const results = await Promise.all(Array.from({ length: 8 }, () => submitLinkForm(session, link.token, form)));
  expect(await session.reader.all('payments')).toHaveLength(1);
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
});
