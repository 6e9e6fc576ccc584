import jsQR from 'jsqr';
import { PNG as Png } from 'pngjs';
import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { credentials } from './calls.ts';
import { exampleOf, MERCHANT } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const BULK = '/sandbox/init/authenticate/merchant/bulkWallet';
const STATUS = '/sandbox/api/getPaymentDetails';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`payments-${sessions}`);
}

async function post(base: string, path: string, body: object, token?: string) {
  const call = request(base).post(path).send(body);
  const answer = await (token === undefined ? call : call.set('Authorization', `Bearer ${token}`));
  return { status: answer.status, body: JSON.parse(answer.text), text: answer.text };
}

async function tokenOf(base: string): Promise<string> {
  return (await post(base, '/auth/authenticate/merchant', MERCHANT)).body.token;
}

async function status(base: string, query: Record<string, string>) {
  const answer = await request(base)
    .get(STATUS)
    .query(query)
    .set('Authorization', `Bearer ${await tokenOf(base)}`);
  return { status: answer.status, body: JSON.parse(answer.text) };
}

const single = (members: object = {}) => ({ ...exampleOf('requests/single-payment'), ...members });

describe('a payment', () => {
  it('on the QR wallet returns a QR code, 300 by 300, that contains its approval address', async () => {
    const base = newSession();
    const { paymentInitiationResponse: answer } = (await post(base, WALLET, single())).body;
    const image = Png.sync.read(Buffer.from(answer.paymentQrCode, 'base64'));
    expect([image.width, image.height]).toEqual([300, 300]);
    const scanned = jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height);
    expect(scanned?.data).toBe(`${base}/pay/approve/${answer.paymentCode}`);
    expect(answer).toMatchObject({ status: '00', paymentId: null, paymentRedirectUrl: null });
    expect(answer.paymentCode).toMatch(/^\d{9}$/);
    expect(answer.paymentTokenExpiry).toBe('2026-03-01T12:15:00.000+02:00');
    expect(answer.paymentProcessedDateTime).toBe('2026-03-01 12:00:00.000');
  });

  it('on mobile money asks for the PIN and uses the payer reference as paymentId', async () => {
    const { body } = await post(
      newSession(),
      WALLET,
      single({ walletName: 'WALLET_MOBILE', payerMobile: '263770000001' }),
    );
    expect(body.paymentInitiationResponse).toMatchObject({
      status: 'Processing',
      paymentId: 'ORDER-1001',
      paymentTokenExpiry: '',
      paymentToken: '',
      paymentRedirectUrl: '',
    });
    expect(body.paymentInitiationResponse.paymentTokenDescription).toMatch(/enter your PIN on the next prompt/);
  });

  it.each(['WALLET_SWITCH', '<WALLET_CARD_A>', 'WALLET_CARD_B'])(
    'on %s returns the address of a checkout',
    async (walletName) => {
      const base = newSession();
      const { paymentInitiationResponse: answer } = (await post(base, WALLET, single({ walletName }))).body;
      expect(answer.status).toBe('Success');
      expect(answer.paymentId).toMatch(/^[0-9A-F]{32}\.sandbox-node-1$/);
      expect(answer.paymentRedirectUrl).toBe(`${base}/pay/checkout?paymentCode=${answer.paymentId}`);
      expect([answer.paymentTokenExpiry, answer.paymentToken, answer.paymentQrCode]).toEqual([null, null, null]);
    },
  );

  it('of a profile in test mode answers with the dotted code and is paid without a payer', async () => {
    const base = newSession();
    const { body } = await post(base, WALLET, single({ walletName: 'WALLET_CARD_A', profileId: 2 }));
    expect(body.paymentInitiationResponse).toMatchObject({
      status: '000.100.110',
      paymentTokenExpiry: null,
      paymentToken: null,
    });
    const { paymentId } = body.paymentInitiationResponse;
    await request(base).get('/param/paymentIntervals');
    expect((await status(base, { transactionReference: paymentId, walletName: 'WALLET_CARD_A' })).body.status).toBe(
      'Paid',
    );
  });

  it('is found by paymentId, payer reference and payment code, only on its own channel', async () => {
    const base = newSession();
    const { paymentInitiationResponse: qr } = (await post(base, WALLET, single())).body;
    const other = { walletName: 'WALLET_CARD_A', payerReference: 'ORDER-1002' };
    const { paymentInitiationResponse: card } = (await post(base, WALLET, single(other))).body;
    for (const [transactionReference, walletName, expected] of [
      [qr.paymentCode, 'WALLET_QR', 200],
      ['ORDER-1001', 'WALLET_QR', 200],
      [card.paymentId, 'WALLET_CARD_A', 200],
      ['ORDER-1001', 'WALLET_CARD_A', 404],
      [card.paymentId, 'WALLET_CARD_B', 404],
    ]) {
      expect([transactionReference, (await status(base, { transactionReference, walletName })).status]).toEqual([
        transactionReference,
        expected,
      ]);
    }
  });

  it.each(['#qr-alternate', '#empty-strings', '#short-answers', '#auto-approve', '#worded', ''])(
    'with the tag "%s" repeats the answer to its initiation in status queries, even once it is decided',
    async (tag) => {
      const base = newSession();
      const rules = [{ respond: { status: 'Awaiting {{payerName}}', paymentResponseMessage: 'Scan {{paymentCode}}' } }];
      const worded = { name: 'worded', description: 'Its own words.', rules };
      expect((await request(base).put('/_sandbox/scenarios/worded').send(worded)).status).toBe(200);
      const { paymentInitiationResponse } = (await post(base, WALLET, single({ paymentDescription: tag }))).body;
      expect(paymentInitiationResponse).toHaveProperty('status');
      await request(base).post('/_sandbox/clock/advance').send({ by: 'P1D' });
      const { body } = await status(base, { transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' });
      expect(body.status).not.toBe('Processing');
      expect(body.paymentInitiationResponse).toEqual(paymentInitiationResponse);
    },
  );

  it('returns its state and the answer given at initiation to a GET with a JSON body', async () => {
    const base = newSession();
    const initiated = (await post(base, WALLET, single())).body;
    const answer = await request(base)
      .get(STATUS)
      .set('Authorization', `Bearer ${await tokenOf(base)}`)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify({ transactionReference: 'ORDER-1001', walletName: 'WALLET_QR', paymentMobile: null }));
    expect(JSON.parse(answer.text)).toEqual({
      status: 'Processing',
      description: 'Waiting for the payer',
      paymentCurrency: 'USD',
      paymentAmount: 10,
      paymentCharges: 2.4,
      paymentReference: 'ORDER-1001',
      paymentMethod: 'WALLET_QR',
      paymentDate: '2026-03-01T10:00:00.000+00:00',
      paymentInitiationResponse: initiated.paymentInitiationResponse,
    });
  });

  it('is found by a status query if it is the newest of several with the same reference', async () => {
    const base = newSession();
    await post(base, WALLET, single({ amount: '1.00' }));
    await post(base, WALLET, single({ amount: '2.00' }));
    const { body } = await status(base, { transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' });
    expect(body.paymentAmount).toBe(2);
  });

  it('is accepted on the wallet path with dynamicPaidList', async () => {
    const { status: code } = await post(newSession(), WALLET, exampleOf('requests/bulk-payment'));
    expect(code).toBe(200);
  });

  it('needs dynamicPaidList on the bulk path', async () => {
    const { status: code, text } = await post(newSession(), BULK, single());
    expect(code).toBe(400);
    expect(text).toContain('$.dynamicPaidList');
  });

  it.each([
    ['percentages that add up to 99', { dynamicPaidList: share(59, 40) }, 422, 'whose percentages add up to 99'],
    ['a percentage of 0', { dynamicPaidList: share(0, 100) }, 400, '$.dynamicPaidList[0].dynamicPayoutPercentage'],
    [
      'a receiver that is not approved',
      { dynamicPaidList: share(60, 40, 'M-1009') },
      422,
      '$.dynamicPaidList[0].dynamicMerchantId: expected the id of an approved merchant',
    ],
    [
      'an unknown receiver',
      { dynamicPaidList: share(60, 40, 'M-9999') },
      422,
      'received string "M-9999", which is not known',
    ],
    [
      'an unknown profile',
      { profileId: 77 },
      422,
      '$.profileId: expected a profile of merchant M-1000: 1 (Normal), 2 (Test mode), received number 77',
    ],
    [
      'an unknown currency',
      { paymentCurrency: 'XXX' },
      422,
      '$.paymentCurrency: expected a known currency: USD, received string "XXX"',
    ],
    [
      'an amount of zero',
      { amount: '0.00' },
      422,
      '$.amount: expected an amount from 0.01 to 1000000.00, the limits of qr-wallet, received string "0.00"',
    ],
    ['an unknown wallet', { walletName: 'WALLET_GOLD' }, 400, '$.walletName: expected one of WALLET_QR'],
    ['no mobile number on mobile money', { walletName: 'WALLET_MOBILE' }, 400, '$.payerMobile'],
    ['a mobile number on another channel', { payerMobile: '263770000001' }, 400, '$.payerMobile'],
    ['wrong keys', { merchantKey: 'wrong' }, 401, 'wrong merchantKey'],
    ['a merchant that is not approved', credentials(1007), 403, 'M-1007 is not approved;'],
    ['a merchant that is not activated', credentials(1008), 403, 'M-1008 is not activated;'],
    ['a merchant that is neither', credentials(1009), 403, 'M-1009 is not activated and not approved;'],
  ])('is refused for %s', async (_title, members, code, words) => {
    const base = newSession();
    const body = 'dynamicPaidList' in members ? exampleOf('requests/bulk-payment', members) : single(members);
    const answer = await post(base, WALLET, body);
    expect([answer.status, answer.body.auth.errorResponse.statusCode]).toEqual([code, code]);
    expect(answer.body.auth.errorResponse.errorMessage).toContain(words);
    expect(answer.text).not.toContain('test-merchant-key-1000');
  });

  it('of an unknown merchant registers it with the keys of its first call', async () => {
    const base = newSession();
    const merchant = { merchantId: 'SHOP', merchantApiKey: 'a', merchantKey: 'b', profileId: 4512 };
    expect((await post(base, WALLET, single(merchant))).status).toBe(200);
    expect((await post(base, WALLET, single({ ...merchant, merchantKey: 'c' }))).status).toBe(401);
  });

  it('accepts a valid bearer token in addition to the credentials, and refuses an invalid one', async () => {
    const base = newSession();
    expect((await post(base, WALLET, single(), await tokenOf(base))).status).toBe(200);
    expect((await post(base, WALLET, single(), 'nonsense')).status).toBe(401);
  });
});

describe('a payout', () => {
  const PAYOUT = '/sandbox/init/authenticate/merchant/bulkPayment';

  it('is accepted if its credits add up', async () => {
    const { body } = await post(newSession(), PAYOUT, exampleOf('requests/bulk-payout'));
    expect(body).toEqual({ status: 'Success', message: 'Bulk payment request accepted' });
  });

  it('is refused if its credits do not add up', async () => {
    const { status: code, body } = await post(
      newSession(),
      PAYOUT,
      exampleOf('requests/bulk-payout', { debitTotalAmount: 100.51 }),
    );
    expect([code, body]).toEqual([
      422,
      {
        status: 'Failed',
        message: '$.debitTotalAmount: expected 100.50, what the credits add up to, received number 100.51',
      },
    ]);
  });
});

describe('the calculator', () => {
  it('adds the flat fee and both percentages: 10 becomes 12.4', async () => {
    const { body } = await post(newSession(), '/param/merchant/feesCalculator', exampleOf('requests/fees-calculation'));
    expect(body).toMatchObject({
      feesMerchantId: 'DEFAULT',
      feesMarkUp: 2,
      feesServiceProviderFee: 2,
      feesGatewayFee: 2,
      feeTotalToBePaid: 12.4,
    });
  });

  it('refuses an amount outside the limits of the fee table', async () => {
    const members = { paymentAmount: 2_000_000 };
    const { status: code } = await post(
      newSession(),
      '/param/merchant/feesCalculator',
      exampleOf('requests/fees-calculation', members),
    );
    expect(code).toBe(422);
  });
});

function share(first: number, second: number, merchant = 'M-1001') {
  return [
    { dynamicMerchantId: merchant, dynamicPayoutPercentage: first },
    { dynamicMerchantId: 'M-1002', dynamicPayoutPercentage: second },
  ];
}
