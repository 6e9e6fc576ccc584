import { loadSchema } from '../../../src/base/schema/load-schema.ts';
import { validate } from '../../../src/base/schema/validation.ts';

const INITIATION = {
  status: '00',
  paymentTokenExpiry: '2024-10-11T11:01:20.000+02:00',
  paymentTokenDescription: 'Request successful',
  paymentToken: 'a.b.c',
  paymentId: null,
  paymentRedirectUrl: null,
  paymentResponseMessage: 'Approved or completed successfully',
  paymentProcessedDateTime: '2024-10-11 12:46:21.394',
  paymentCode: '123456789',
  paymentQrCode: 'iVBORw0KGgo=',
};
const {
  paymentResponseMessage: _,
  paymentProcessedDateTime: __,
  paymentCode: ___,
  paymentQrCode: ____,
  ...SIX
} = INITIATION;
const NO_ERROR = { errorMessage: null, statusCode: 0 };
const ERROR = { errorMessage: '$.amount: expected a string, received number 10', statusCode: 400 };
const USER = { id: 1, email: 'merchant@example.test', role: 'MERCHANT', token: 'a.b.c' };
const AUTH = { token: 'a.b.c', user: USER, errorResponse: NO_ERROR };
const CREATED = '2024-01-01T00:00:00.000Z';
const BOTH_TIMES = { createdAt: CREATED, updatedAt: CREATED };
const NOTIFICATION = {
  status: 'Paid',
  description: 'Transaction paid successfully',
  paymentCurrency: 'USD',
  paymentAmount: 10,
  paymentCharges: 2.4,
  paymentReference: 'ORDER-1001',
  paymentMethod: 'WALLET_QR',
  paymentDate: '2024-10-11T10:46:21.394+00:00',
};
const LINK = {
  paymentProfileName: 'Normal',
  paymentProfileDescription: 'Normal',
  paymentLinkReference: 'LINK-1',
  paymentLinkUrl: 'http://127.0.0.1:4100/pay/abc-1',
  paymentLinkAmount: 25,
  paymentLinkType: 'OPEN_FIXED_AMOUNT',
  paymentLinkToken: 'abc-1',
  paymentLinkImageUrl: 'http://127.0.0.1:4100/images/1',
  paymentLinkStartDate: '2026-01-01T00:00:00.000+02:00',
  paymentLinkEndDate: '2030-12-31T00:00:00.000+02:00',
  paymentLinkIsActive: true,
  createdAt: CREATED,
  id: 1,
};
const INTERVAL = { id: 4, paymentIntervalName: 'Quartely', paymentIntervalDuration: 91, ...BOTH_TIMES };
const CURRENCY = { id: 1, currencyName: 'US Dollar', currencyCode: 'USD', currencySymbol: '$', ...BOTH_TIMES };
const BANK = { id: 1, bankName: 'First Sandbox Bank', bankBICCode: 'FSBKZZ22', ...BOTH_TIMES };
const FEES = {
  id: 1,
  feesMerchantId: 'DEFAULT',
  feesPaymentMethod: 1,
  feesMarkUp: 2,
  feesServiceProviderFee: 2,
  feesGatewayFee: 2,
  feesMinAmount: 0.01,
  feesMaxAmount: 1_000_000,
  feesStartDate: '2024-01-01T00:00:00.000+02:00',
  feesEndDate: '2099-12-31T00:00:00.000+02:00',
  feesCurrencyId: 1,
  feesUserId: 'DEFAULT',
  feesStatus: true,
  feeTotalToBePaid: 12.4,
};
const TOKEN = {
  status: 'Success',
  message: 'Payment token generated successfully',
  paymentToken: 'a.b.c',
  paymentTokenReference: 'TOKEN-1',
  paymentTokenExpiry: '2025-10-11T11:01:20.000+02:00',
};

/** One answer per schema, with the members in the order of the interface. */
const VALID: Record<string, object> = {
  'access-token': {
    token: 'a.b.c',
    user: {
      id: 1,
      email: 'merchant@example.test',
      firstName: 'Sandbox',
      lastName: 'Merchant',
      role: 'MERCHANT',
      token: 'a.b.c',
      accountId: 6000,
      activationActivated: true,
    },
    errorResponse: NO_ERROR,
  },
  payment: { auth: AUTH, paymentInitiationResponse: INITIATION },
  acknowledgement: { status: 'Success', message: 'Recurring payment added successfully' },
  'payment-link': { status: 'Success', paymentLink: LINK, message: 'created' },
  'payment-status': { ...NOTIFICATION, paymentInitiationResponse: INITIATION },
  'payment-intervals': [INTERVAL],
  currencies: [CURRENCY],
  banks: [BANK],
  fees: FEES,
  notification: NOTIFICATION,
  'payment-token': TOKEN,
  'failed-access-token': { token: null, user: null, errorResponse: ERROR },
  'failed-payment': { auth: { token: null, user: null, errorResponse: ERROR }, paymentInitiationResponse: null },
  'failed-acknowledgement': { status: 'Failed', message: ERROR.errorMessage },
  'failed-payment-link': { status: 'Failed', paymentLink: null, message: ERROR.errorMessage },
  'failed-query': ERROR,
};

const initiation = (members: object) => ({ auth: AUTH, paymentInitiationResponse: { ...INITIATION, ...members } });
/** Each schema with each member of its answer, and whether the answer is a list. */
const MEMBERS = Object.entries(VALID).flatMap(([name, answer]) => {
  const isList = Array.isArray(answer);
  return Object.keys(isList ? answer[0] : answer).map((member): [string, string, boolean] => [name, member, isList]);
});

it.each(Object.entries(VALID))(
  '%s accepts an answer, and lists its members in the same order',
  async (name, answer) => {
    expect(await validate(`responses/${name}`, answer)).toEqual([]);
    const { type, items, properties } = loadSchema(`responses/${name}`);
    const [record, members] = type === 'array' ? [(answer as object[])[0], items.properties] : [answer, properties];
    expect(Object.keys(record ?? {})).toEqual(Object.keys(members));
  },
);

it.each(MEMBERS)('%s without %s is invalid', async (name, member, isList) => {
  const answer = structuredClone(VALID[name]) as Record<string, unknown> | Record<string, unknown>[];
  const record = Array.isArray(answer) ? answer[0] : answer;
  delete record?.[member];
  expect(await validate(`responses/${name}`, answer)).toMatchObject([
    { path: isList ? `$[0].${member}` : `$.${member}`, received: 'nothing', severity: 'error' },
  ]);
});

it.each(Object.keys(VALID))('%s with an additional member is invalid', async (name) => {
  const answer = VALID[name];
  const withExtraMember = Array.isArray(answer) ? [{ ...answer[0], extra: 1 }] : { ...answer, extra: 1 };
  expect(await validate(`responses/${name}`, withExtraMember)).toMatchObject([{ expected: 'no such field' }]);
});

it.each([
  ['only the first five members and the redirect address', SIX],
  ['members that are empty', { ...INITIATION, paymentTokenExpiry: '', paymentToken: '', paymentRedirectUrl: '' }],
  [
    'members that are null',
    { ...INITIATION, paymentTokenExpiry: null, paymentToken: null, paymentProcessedDateTime: null, paymentCode: null },
  ],
])('a payment answer may have %s', async (_title, paymentInitiationResponse) => {
  expect(await validate('responses/payment', { auth: AUTH, paymentInitiationResponse })).toEqual([]);
});

it.each(['paymentResponseMessage', 'paymentProcessedDateTime', 'paymentCode', 'paymentQrCode'])(
  'a payment answer with %s needs the other three of the last four members',
  async (member) => {
    const answer = { auth: AUTH, paymentInitiationResponse: { ...SIX, [member]: null } };
    const status = { ...NOTIFICATION, paymentInitiationResponse: answer.paymentInitiationResponse };
    expect(await validate('responses/payment', answer)).toHaveLength(3);
    expect(await validate('responses/payment-status', status)).toHaveLength(3);
  },
);

it.each<[string, object, string]>([
  [
    'payment',
    initiation({ paymentTokenExpiry: '2024-10-11T11:01:20Z' }),
    '$.paymentInitiationResponse.paymentTokenExpiry',
  ],
  [
    'payment',
    initiation({ paymentProcessedDateTime: '2024-10-11T12:46:21.394' }),
    '$.paymentInitiationResponse.paymentProcessedDateTime',
  ],
  ['payment', initiation({ status: null }), '$.paymentInitiationResponse.status'],
  ['payment', { ...VALID['payment'], paymentInitiationResponse: null }, '$.paymentInitiationResponse'],
  [
    'payment-link',
    { ...VALID['payment-link'], paymentLink: { ...LINK, paymentLinkAmount: '25.00' } },
    '$.paymentLink.paymentLinkAmount',
  ],
  [
    'payment-link',
    { ...VALID['payment-link'], paymentLink: { ...LINK, paymentLinkToken: 'abc' } },
    '$.paymentLink.paymentLinkToken',
  ],
  ['notification', { ...NOTIFICATION, paymentAmount: '10.00' }, '$.paymentAmount'],
  ['notification', { ...NOTIFICATION, paymentDate: '2024-10-11' }, '$.paymentDate'],
  ['banks', [{ ...BANK, bankBICCode: 'first' }], '$[0].bankBICCode'],
  ['currencies', [{ ...CURRENCY, currencyCode: 'usd' }], '$[0].currencyCode'],
  ['payment-intervals', [{ ...INTERVAL, createdAt: 'today' }], '$[0].createdAt'],
  ['fees', { ...FEES, feesStatus: 'true' }, '$.feesStatus'],
  ['payment-token', { ...TOKEN, paymentTokenExpiry: 'never' }, '$.paymentTokenExpiry'],
  ['failed-acknowledgement', VALID['acknowledgement'] ?? {}, '$.status'],
  ['failed-payment-link', { ...VALID['failed-payment-link'], paymentLink: LINK }, '$.paymentLink'],
  ['failed-query', { ...ERROR, statusCode: 0 }, '$.statusCode'],
  ['failed-access-token', { ...VALID['failed-access-token'], token: 'a.b.c' }, '$.token'],
])('%s %j is invalid because of %s', async (name, answer, path) => {
  expect(await validate(`responses/${name}`, answer)).toMatchObject([{ path, severity: 'error' }]);
});
