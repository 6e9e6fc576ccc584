import { AnswerTexts } from '../../../src/recordings/patch/answer-texts.ts';
import { callAt } from '../exchanges.ts';

const SENT = {
  payerReference: 'T-1',
  payerName: 'Pqf Cvgck',
  payerMobile: '524498369373',
  amount: 100,
  paymentCurrency: 'USD',
  walletName: 'WALLET_MOBILE',
};
const texts = new AnswerTexts(
  callAt('2026-03-01T10:00:00.000Z', { body: { json: SENT } }),
  { paymentCode: '123456789' },
  new Set(['paymentCode']),
);

test.each([
  ['Dear Pqf Cvgck, confirm T-1 now.', 'Dear {{payerName}}, confirm {{payerReference}} now.'],
  ['Pay 100.00 USD by code 123456789', 'Pay {{amount}} {{currency}} by code {{paymentCode}}'],
  ['Say {{name}} to T-1', 'Say \\{{name}} to {{payerReference}}'],
  ['T-12 and 000.100.110 of WALLET_MOBILE', 'T-12 and 000.100.110 of WALLET_MOBILE'],
  [{ list: ['T-1', 1, null] }, { list: ['{{payerReference}}', 1, null] }],
  ['Dear Pqf Cvgck, confirm T-1 on 524498369373 now.', undefined],
  ['See https://pay.test/x524498369373x', undefined],
  [{ mobile: '524498369373' }, undefined],
])('%j becomes %j', (value, template) => {
  expect(texts.templateOf(value, 'paymentTokenDescription')).toEqual(template);
});
