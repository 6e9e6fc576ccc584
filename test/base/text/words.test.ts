import { inWords } from '../../../src/base/text/words.ts';

describe('the words for the name', () => {
  it.each([
    ['settle-payment', 'Settle payment'],
    ['payment.charged-back', 'Payment charged back'],
    ['delivery.failed', 'Delivery attempt failed'],
    ['payment.wrong-pin', 'Wrong pin entered'],
    ['initiatePayment', 'Initiate payment'],
    ['initiateBulkPayment', 'Initiate split payment'],
    ['initiateBulkPayout', 'Initiate payout'],
    ['saveFastCheckout', 'Save payment link'],
  ])('%s are %s', (name, words) => {
    expect(inWords(name)).toBe(words);
  });
});
