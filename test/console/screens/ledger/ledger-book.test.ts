import fc from 'fast-check';
import { ledgerBooksOf } from '../../../../src/console/screens/ledger/ledger-book.ts';
import { viewAccount } from '../../../../src/server/control-api/book-views.ts';
import { cases } from '../../../cases.ts';
import { anyFeeTerms, openBooks, postedBalances } from '../../../server/domain/books/books-under-test.ts';
import { anyStep, playSteps } from '../../../server/domain/books/settlements/random-steps.ts';

it('the ledger books show each account once, merchants first, and add up to zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 20 }), anyFeeTerms, async (steps, terms) => {
      const bench = await openBooks(terms);
      await playSteps(bench, steps);
      const accounts = (await postedBalances(bench)).map(viewAccount);
      const books = ledgerBooksOf(accounts);
      expect(books.flatMap((book) => book.accounts)).toHaveLength(accounts.length);
      for (const { accounts: bookAccounts, total } of books) {
        expect(total).toEqual({
          debits: bookAccounts.reduce((sum, { debits }) => sum + debits, 0),
          credits: total.debits,
          balance: 0,
        });
        const isMerchant = bookAccounts.map(({ account }) => account.startsWith('merchant:'));
        expect(isMerchant.lastIndexOf(true)).toBe(isMerchant.filter(Boolean).length - 1);
      }
    }),
    { numRuns: cases(30) },
  );
});
