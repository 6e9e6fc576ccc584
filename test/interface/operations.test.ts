import request from 'supertest';
import { validate } from '../../src/base/schema/validation.ts';
import { describeOperations } from '../../src/server/merchant-api/describe-operations.ts';
import { OPERATIONS } from '../../src/server/merchant-api/operations.ts';
import { pathsOf } from '../../src/server/merchant-api/routes.ts';
import type { Sandbox } from '../sandbox.ts';
import { prepare, send } from './calls.ts';
import { MERCHANT } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const CHANNELS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const PAYMENTS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
  const answer = await request(sandbox.url).post('/auth/authenticate/merchant').send(MERCHANT);
  token = JSON.parse(answer.text).token;
});
afterAll(() => sandbox.close());

let sessions = 0;

/** A separate session for a test, so that its first recurring payment has the number 1. */
function newSession(): string {
  sessions += 1;
  return sandbox.sessionUrl(`own-${sessions}`);
}

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  const paths = () => pathsOf(operation, sandbox.fixtures);

  it.each(operation.paths.flatMap(({ environment, path }) => [[environment, path] as const]))(
    'answers in %s at %s, with and without Request appended, in text/plain that fits its response schema',
    async (environment, path) => {
      for (const spelling of pathsOf(
        { ...operation, paths: [{ environment, path, provenance: 'ours' }] },
        sandbox.fixtures,
      )) {
        const base = newSession();
        const answer = await send(
          base,
          operation,
          spelling.path,
          token,
          await prepare(base, operation, environment, token),
        );
        expect([spelling.path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([
          spelling.path,
          200,
          '',
        ]);
        expect(answer.headers['content-type']).toMatch(/^text\/plain/);
        expect(await validate(operation.response, JSON.parse(answer.text))).toEqual([]);
      }
    },
  );

  it('answers other methods with 405, the allowed method and its own envelope', async () => {
    for (const { path } of paths()) {
      const other = operation.method === 'GET' ? 'post' : 'get';
      const answer = await request(sandbox.url)[other](path.replace('{id}', '1'));
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe(operation.method);
      expect(await validate(`responses/failed-${operation.envelope}`, JSON.parse(answer.text))).toEqual([]);
    }
  });
});

describe.each(OPERATIONS.filter(({ body, authentication }) => body !== 'none' || authentication !== 'none'))(
  '$name',
  (operation) => {
    it('refuses in its own envelope, with the same status in HTTP and body', async () => {
      const path = operation.paths[0]?.path.replace('{id}', '1') ?? '';
      const call = operation.method === 'GET' ? request(sandbox.url).get(path) : request(sandbox.url).post(path);
      const answer = await call
        .set('Content-Type', 'application/json')
        .send(operation.body === 'none' ? '' : '{"odd":');
      expect([400, 401, 415]).toContain(answer.status);
      const body = JSON.parse(answer.text);
      expect(await validate(`responses/failed-${operation.envelope}`, body)).toEqual([]);
      const refusal = body.auth?.errorResponse ?? body.errorResponse ?? body;
      expect(refusal.statusCode ?? answer.status).toBe(answer.status);
    });
  },
);

describe.each(OPERATIONS.filter(({ name }) => PAYMENTS.includes(name)))('$name', (operation) => {
  it.each(
    CHANNELS.flatMap((channel) =>
      operation.paths.map(({ environment, path }) => [channel, environment, path] as const),
    ),
  )('initiates a payment on %s in %s with all ten members in order', async (walletName, _environment, path) => {
    for (const spelling of [path, `${path}Request`]) {
      const mobile = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {};
      const answer = await send(sandbox.url, operation, spelling, token, { walletName, ...mobile });
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
      const { auth, paymentInitiationResponse } = JSON.parse(answer.text);
      expect(Object.keys(paymentInitiationResponse)).toEqual([
        'status',
        'paymentTokenExpiry',
        'paymentTokenDescription',
        'paymentToken',
        'paymentId',
        'paymentRedirectUrl',
        'paymentResponseMessage',
        'paymentProcessedDateTime',
        'paymentCode',
        'paymentQrCode',
      ]);
      expect(auth.errorResponse).toEqual({ errorMessage: null, statusCode: 0 });
    }
  });
});

describe('the operations table', () => {
  it('describes each of its paths once, in both spellings and both environments', () => {
    const described = describeOperations(sandbox.fixtures, false);
    const routes = described.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const operation of OPERATIONS) {
      const paths = pathsOf(operation, sandbox.fixtures);
      expect(new Set(paths.map(({ environment }) => environment))).toEqual(new Set(['production', 'sandbox']));
      expect(paths.filter(({ path }) => /Request(\/\{id\})?$/.test(path)).length).toBe(paths.length / 2);
    }
  });
});
