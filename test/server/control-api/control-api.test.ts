import { createServer, request as rawRequest } from 'node:http';
import request from 'supertest';
import type { Refusal } from '../../../src/base/refusal.ts';
import type { ControlError } from '../../../src/client/control-error.ts';
import { checkCaller } from '../../../src/server/control-api/guard.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse(NOW), checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`control-${sessions}`);
}

async function pay(baseUrl: string, members: object = {}, headers: Record<string, string> = {}) {
  const answer = await request(baseUrl)
    .post(WALLET)
    .set(headers)
    .send({ ...exampleOf('requests/single-payment'), ...members });
  return { status: answer.status, text: answer.text, headers: answer.headers };
}

async function statusOf(baseUrl: string, transactionReference: string, walletName: string) {
  const { token } = JSON.parse((await request(baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text);
  const query = { transactionReference, walletName };
  const answer = await request(baseUrl)
    .get('/sandbox/api/getPaymentDetails')
    .query(query)
    .set('Authorization', `Bearer ${token}`);
  return JSON.parse(answer.text);
}

describe('a payment', () => {
  it.each(['Paid', 'Failed', 'Cancelled', 'Expired'] as const)(
    'that became %s has this state in a status query, its history and the list',
    async (outcome) => {
      const session = newSession();
      await pay(session.baseUrl);
      const decided = await session.settle('ORDER-1001', outcome, '51');
      expect(decided.history).toEqual([
        { at: NOW, from: null, to: 'Processing', cause: 'merchant', code: null, description: null },
        {
          at: NOW,
          from: 'Processing',
          to: outcome,
          cause: 'control',
          code: '51',
          description: expect.any(String),
          ...(outcome === 'Paid' ? { move: 1 } : {}),
        },
      ]);
      expect((await statusOf(session.baseUrl, 'ORDER-1001', 'WALLET_QR')).status).toBe(outcome);
      expect((await session.payments({ state: outcome })).items).toHaveLength(1);
      expect((await session.payments({ state: 'Processing' })).items).toHaveLength(0);
    },
  );

  it('is not changed by a second outcome, which is refused as a conflict with problem details', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    const payment = await session.settle('ORDER-1001', 'Paid');
    const secondSettle = session.settle(payment.id, 'Failed');
    await expect(secondSettle).rejects.toThrow('payment-1 is Paid and cannot become Failed');
    await secondSettle.catch((error: ControlError) => {
      expect(error.status).toBe(409);
      expect(error.problem).toMatchObject({ type: 'urn:merchant-sandbox:conflict', status: 409, title: 'conflict' });
    });
    expect(await session.payment(payment.id)).toEqual(payment);
  });

  it.each(['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'])(
    'on %s expires after fifteen minutes',
    async (walletName) => {
      const session = newSession();
      await pay(session.baseUrl, {
        walletName,
        ...(walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {}),
      });
      await session.advance('PT14M59S');
      expect((await session.payment('payment-1')).state).toBe('Processing');
      const { happened, now } = await session.advance('PT1S');
      expect(now).toBe('2026-03-01T10:15:00.000Z');
      expect(happened).toMatchObject([
        { type: 'payment.expired', at: now, subjectId: 'payment-1', data: { cause: 'clock' } },
      ]);
      expect((await statusOf(session.baseUrl, 'ORDER-1001', walletName)).status).toBe('Expired');
    },
  );
});

describe('a recurring payment', () => {
  async function subscribe(baseUrl: string, members: object) {
    const post = async (path: string, body: object) => {
      // Tokens are valid for five hours by the session's clock, so each call gets a new one.
      const { token } = JSON.parse((await request(baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text);
      return request(baseUrl).post(path).set('Authorization', `Bearer ${token}`).send(body);
    };
    const issued = await post('/api/requestPaymentToken', exampleOf('requests/payment-token'));
    const recurringPaymentToken = JSON.parse(issued.text).paymentToken;
    await post(
      '/api/addRecurringPayment',
      exampleOf('requests/recurring-payment', { recurringPaymentToken, ...members }),
    );
    return post;
  }

  it('is charged for each month when the clock moves by a year, each time as a separate payment', async () => {
    const session = newSession();
    await subscribe(session.baseUrl, { recurringStartDate: '2026-03-02', recurringExpiryDate: '2027-03-01' });
    const { happened = [] } = await session.advance('P1Y');
    const paidEvents = happened.filter(({ type }) => type === 'payment.paid');
    expect(paidEvents).toHaveLength(13);
    expect(paidEvents.map(({ at }) => at).slice(0, 3)).toEqual([
      '2026-03-01T22:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
    expect(happened.at(-1)?.type).not.toBe('payment.created');
    const { items } = await session.list('recurring-payments');
    expect(items).toMatchObject([{ state: 'Completed', charges: 13, nextChargeAt: null, amount: '15.00' }]);
  });

  it('is not charged after it is cancelled', async () => {
    const session = newSession();
    const post = await subscribe(session.baseUrl, {
      recurringIntervalId: '3',
      recurringIntervalName: 'Weekly',
      recurringStartDate: '2026-03-01',
    });
    await session.advance('P12D');
    await post('/api/cancelRecurringPayment/1', {});
    await session.advance('P30D');
    expect((await session.payments({ origin: 'recurring' })).items).toHaveLength(3);
  });
});

describe('a session', () => {
  it('shares nothing with another session', async () => {
    const [one, other] = [newSession(), newSession()];
    await pay(one.baseUrl);
    await one.advance('PT1H');
    expect((await other.payments()).items).toEqual([]);
    expect((await other.clock()).now).toBe(NOW);
  });

  it('can be chosen by header, and then returns addresses with its path', async () => {
    const session = newSession();
    const { text } = await pay(sandbox.url, { walletName: 'WALLET_CARD_A' }, { 'X-Sandbox-Session': session.session });
    expect(JSON.parse(text).paymentInitiationResponse.paymentRedirectUrl).toContain(
      `/s/${session.session}/pay/checkout`,
    );
    expect((await session.payments()).items).toHaveLength(1);
  });

  it('can be created with a seed, a time and a scenario, listed, and deleted', async () => {
    const created = await sandbox.client.createSession('made', {
      seed: 'x',
      scenario: 'declined',
      now: '2030-01-01T00:00:00Z',
    });
    expect(await created.clock()).toMatchObject({ mode: 'frozen', now: '2030-01-01T00:00:00.000Z' });
    expect((await created.currentScenario()).name).toBe('declined');
    const { items } = await sandbox.client.list<{ name: string }>('sessions');
    expect(items.map(({ name }) => name)).toContain('made');
    await expect(sandbox.client.createSession('made')).rejects.toThrow('session made already exists');
    await sandbox.client.deleteSession('made');
    await expect(sandbox.client.deleteSession('made')).rejects.toThrow('there is no session made');
  });

  it('starts again after a reset, with the same ids and clock', async () => {
    const session = await sandbox.client.createSession('reset', { scenario: 'declined', now: '2030-01-01T00:00:00Z' });
    const first = await pay(session.baseUrl);
    await session.useScenario('auto-approve');
    await session.advance('P1D');
    await session.reset();
    expect(await session.clock()).toEqual({
      mode: 'frozen',
      now: '2030-01-01T00:00:00.000Z',
      ahead: null,
      nextDue: null,
      next: null,
    });
    expect((await session.currentScenario()).name).toBe('declined');
    expect((await session.payments()).items).toEqual([]);
    expect((await pay(session.baseUrl)).text).toBe(first.text);
  });

  it('can be exported and restored, with its due jobs', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    const state = await session.state();
    await session.settle('ORDER-1001', 'Paid');
    await session.restore(state);
    expect((await session.payment('payment-1')).state).toBe('Processing');
    await session.advance('PT15M');
    expect((await session.payment('payment-1')).state).toBe('Expired');
    await expect(session.restore({ ...state, payments: [{ id: 1 }] })).rejects.toThrow('$.payments[0]');
  });

  it('is refused if there are too many', async () => {
    const small = await startSandbox({ maxSessions: 2 });
    small.session('a');
    small.session('b');
    expect(() => small.session('c')).toThrow('--max-sessions');
    expect((await request(small.url).get('/s/c/param/paymentIntervals')).status).toBe(429);
    await small.close();
  });

  it('is not created by a query or a change of a record; the refusal lists the existing sessions', async () => {
    const otherSandbox = await startSandbox();
    otherSandbox.session('checkout');
    const misspelled = otherSandbox.client.inSession('chekout');
    const words = 'there is no session "chekout", did you mean checkout?; there are: default, checkout';
    for (const refusedCall of [
      () => misspelled.payments(),
      () => misspelled.clock(),
      () => misspelled.waitForEvent('payment.paid', LONG_WAIT),
      () => misspelled.settle('ORDER-1', 'Paid'),
      () => misspelled.resendFailed(),
      () => misspelled.call('DELETE', '/requests'),
      () => misspelled.verify({ match: { operation: 'initiatePayment' }, count: 0 }),
    ]) {
      await expect(refusedCall()).rejects.toMatchObject({ status: 404, message: words });
    }
    expect((await otherSandbox.client.list<{ name: string }>('sessions')).items.map(({ name }) => name)).toEqual([
      'checkout',
    ]);
    expect((await otherSandbox.client.payments()).items).toEqual([]);
    await misspelled.useScenario('declined');
    expect((await misspelled.currentScenario()).name).toBe('declined');
    await otherSandbox.close();
  });

  it('can be one of a thousand', async () => {
    const many = Array.from({ length: 1000 }, (_, number) => sandbox.session(`many-${number}`));
    const clocks = await Promise.all(many.map((session) => session.clock()));
    expect(new Set(clocks.map(({ now }) => now))).toEqual(new Set([NOW]));
  });
});

describe('lists', () => {
  it('stay complete across pages while payments are added', async () => {
    const session = newSession();
    for (let number = 1; number <= 5; number += 1) {
      await pay(session.baseUrl, { payerReference: `ORDER-${number}` });
    }
    const first = await session.payments({ limit: '2' });
    await pay(session.baseUrl, { payerReference: 'ORDER-6' });
    const second = await session.payments({ limit: '2', cursor: first.nextCursor ?? '' });
    const third = await session.payments({ limit: '2', cursor: second.nextCursor ?? '' });
    expect([first, second, third].flatMap(({ items }) => items.map(({ payerReference }) => payerReference))).toEqual([
      'ORDER-5',
      'ORDER-4',
      'ORDER-3',
      'ORDER-2',
      'ORDER-1',
    ]);
    expect(third.nextCursor).toBeNull();
  });

  it('refuse an unknown filter, and name the known ones', async () => {
    await expect(newSession().list('payments', { colour: 'green' })).rejects.toThrow(
      'GET /payments does not take "colour"; it takes limit, cursor, order, search, state',
    );
  });

  it('show merchants without their keys', async () => {
    const { items } = await newSession().list('merchants');
    expect(items.map(({ id }) => id)).toEqual(['M-1000', 'M-1001', 'M-1002', 'M-1007', 'M-1008', 'M-1009']);
    expect(JSON.stringify(items)).not.toContain('test-merchant-key');
  });
});

describe('the request log', () => {
  it('contains the request, its findings and the answer, without secrets', async () => {
    const session = newSession();
    await pay(session.baseUrl, { colour: 'green' });
    const { items } = await session.list<Record<string, unknown>>('requests');
    expect(items).toMatchObject([
      {
        id: 'request-1',
        operation: 'initiatePayment',
        environment: 'sandbox',
        scenario: 'payer-decides',
        merchantId: 'M-1000',
        findings: [{ path: '$.colour', severity: 'warning' }],
        answer: { status: 200 },
      },
    ]);
    expect(JSON.stringify(items[0]?.['body'])).not.toContain('test-merchant-key');
  });

  it('names the nearest route of a call that matched none', async () => {
    const session = newSession();
    await request(session.baseUrl).post('/init/authenticate/merchant/walet').send({});
    const { items } = await session.list('requests');
    expect(items).toMatchObject([
      { operation: null, nearest: 'POST /init/authenticate/merchant/wallet', answer: { status: 404 } },
    ]);
  });

  it('verifies requests by partial bodies and counts', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await pay(session.baseUrl, { amount: '11.00' });
    expect(
      await session.verify({ match: { operation: 'initiatePayment', body: { amount: '11.00' } }, count: 1 }),
    ).toEqual({
      matched: 1,
      ids: ['request-2'],
    });
    const wrong = session.verify({ match: { operation: 'initiatePayment', body: { amount: '12.00' } } });
    await expect(wrong).rejects.toThrow('0 of 2 calls match, expected at least one');
    await wrong.catch(({ status, problem }: ControlError) => {
      expect(status).toBe(422);
      expect(problem['nearest']).toMatchObject([
        { id: 'request-1', differences: [{ path: '$.amount', expected: '12.00', received: '10.00' }] },
        { id: 'request-2' },
      ]);
    });
  });
});

describe('events', () => {
  it('arrive as they happen, and a client that reconnects misses none', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    const created = await session.waitForEvent('payment.created', LONG_WAIT);
    const waiting = session.waitForEvent('payment.paid', { since: created.id, ...LONG_WAIT });
    await session.settle('ORDER-1001', 'Paid');
    expect(await waiting).toMatchObject({ id: created.id + 1, subjectId: 'payment-1' });
    expect(await session.waitForEvent('payment.paid', { since: created.id, ...LONG_WAIT })).toMatchObject({
      id: created.id + 1,
    });
  });

  it('are numbered from 1 after a reset, also for a client that reconnects with an earlier event number', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await pay(session.baseUrl);
    await session.settle('ORDER-1001', 'Paid');
    const event = await session.waitForEvent('payment.paid', LONG_WAIT);
    await session.reset();
    await pay(session.baseUrl);
    expect(await session.waitForEvent('session.reset', { since: event.id, ...LONG_WAIT })).toMatchObject({
      id: 1,
      data: { generation: 1 },
    });
    expect(await session.waitForEvent('payment.created', { since: event.id, ...LONG_WAIT })).toMatchObject({
      id: 2,
      subjectId: 'payment-1',
    });
  });

  it('include the calls between them on request, past and new', async () => {
    const session = newSession();
    await pay(session.baseUrl);
    await pay(session.baseUrl, { amount: 10 });
    await session.settle('ORDER-1001', 'Paid');
    const eventTypes: string[] = [];
    for await (const { type, subjectId, data } of session.events(0, { calls: true })) {
      eventTypes.push(`${type} ${subjectId}`);
      if (eventTypes.length === 4) {
        await pay(session.baseUrl);
      }
      if (subjectId === 'request-3') {
        expect(data).toMatchObject({ reference: 'ORDER-1001', reason: null, events: [{ type: 'payment.created' }] });
        break;
      }
    }
    expect(eventTypes).toEqual([
      'payment.created payment-1',
      'request.answered request-1',
      'request.answered request-2',
      'payment.paid payment-1',
      'payment.created payment-2',
      'request.answered request-3',
    ]);
  });

  it('end with an error for a waiting client when the sandbox closes', async () => {
    const other = await startSandbox();
    const waiting = other.client.waitForEvent('never', LONG_WAIT);
    const refused = expect(waiting).rejects.toThrow();
    await other.client.health();
    await other.close();
    await refused;
  });
});

describe('the control API', () => {
  const statusFor = (headers: Record<string, string>, base = sandbox.url) =>
    new Promise<number>((resolve) => {
      rawRequest(`${base}/_sandbox/payments`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).end();
    });

  it('answers tools on this machine, and refuses pages of other origins and other host names', async () => {
    const { host } = new URL(sandbox.url);
    expect(await statusFor({})).toBe(200);
    expect(await statusFor({ host: `localhost:${host.split(':')[1]}` })).toBe(200);
    expect(await statusFor({ origin: `http://${host}` })).toBe(200);
    expect(await statusFor({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusFor({ origin: 'null' })).toBe(403);
    expect(await statusFor({ host: 'evil.example' })).toBe(403);
  });

  it('requires the token if the sandbox listens beyond loopback, except for health checks', async () => {
    const exposed = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
    const base = exposed.url;
    const detail = async (headers: Record<string, string>) =>
      JSON.parse((await request(base).get('/_sandbox/docs').set(headers)).text).detail;
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await statusFor({}, base)).toBe(401);
    expect(await statusFor({ 'x-sandbox-control-token': 'another' }, base)).toBe(401);
    expect(await statusFor({ 'x-sandbox-control-token': 'a-token' }, base)).toBe(200);
    expect(await detail({ accept: 'text/html,*/*' })).toContain('open the address of the console that was printed');
    expect(await detail({})).toContain('send its control token as X-Sandbox-Control-Token');
    expect(await detail({ 'x-sandbox-control-token': 'another' })).toContain('the control token is wrong');
    expect((await request(base).get('/_sandbox/health')).status).toBe(200);
    const login = await request(base).get('/s/shop/_sandbox/docs?token=a-token');
    expect([login.status, login.headers['location']]).toEqual([303, './docs']);
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    expect(String(login.headers['set-cookie'])).toContain('HttpOnly; SameSite=Strict; Path=/');
    expect(await statusFor({ cookie }, base)).toBe(200);
    expect(await statusFor({ cookie, origin: base }, base)).toBe(200);
    expect(await statusFor({ cookie, origin: 'http://evil.example' }, base)).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      expect(await statusFor({ cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }, base)).toBe(403);
      expect(await statusFor({ cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }, base)).toBe(200);
    }
    const change = (headers: Record<string, string>) =>
      request(base)
        .post('/_sandbox/reset')
        .set({ cookie, ...headers });
    expect((await change({})).status).toBe(403);
    expect((await change({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await change({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' })).status).toBe(403);
    expect((await change({ origin: base })).status).toBe(200);
    expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect(await statusFor({ cookie: `${cookie}x` }, base)).toBe(401);
    expect((await request(base).get('/_sandbox/docs?token=another')).status).toBe(401);
    expect((await startAndClose()).controlToken).toMatch(/^[\w-]{21}$/);
    await exposed.close();
  });

  it.each(['', ' ', '\n'])('treats the control token %j as missing, and generates one', async (controlToken) => {
    const exposed = await startSandbox({ host: '0.0.0.0', controlToken });
    expect(exposed.controlToken).toMatch(/^[\w-]{21}$/);
    for (const headers of [
      {},
      { 'x-sandbox-control-token': controlToken.trim() },
      { cookie: 'sandbox-control-token=' },
    ]) {
      expect([headers, await statusFor(headers, exposed.url)]).toEqual([headers, 401]);
    }
    expect((await request(exposed.url).get('/_sandbox/docs?token=')).status).toBe(401);
    await exposed.close();
  });

  it('refuses every caller if the token of the guard is empty', async () => {
    const guard = { token: '', hosts: [] };
    const server = createServer((incoming, response) => {
      try {
        checkCaller(incoming, guard);
        response.end('open');
      } catch (error) {
        response.end((error as Refusal).kind);
      }
    });
    const caller = request(server);
    expect((await caller.get('/')).text).toBe('bad-bearer');
    expect((await caller.get('/').set('x-sandbox-control-token', '')).text).toBe('bad-bearer');
    expect((await caller.get('/').set('cookie', 'sandbox-control-token=')).text).toBe('bad-bearer');
  });

  it('answers mistakes with problem details', async () => {
    for (const [method, path, body, status] of [
      ['get', '/_sandbox/nothing', undefined, 404],
      ['delete', '/_sandbox/payments', undefined, 405],
      ['post', '/_sandbox/clock/advance', { by: 'a while' }, 400],
      ['post', '/_sandbox/payments/payment-9/settle', { outcome: 'Paid' }, 404],
      ['put', '/_sandbox/scenario', { name: 'magic' }, 400],
    ] as const) {
      const answer = await request(sandbox.url)[method](path).send(body);
      expect([path, answer.status, answer.headers['content-type']]).toEqual([
        path,
        status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(JSON.parse(answer.text)).toMatchObject({
        status,
        type: expect.stringMatching(/^urn:/),
        detail: expect.any(String),
      });
    }
  });

  it('reports an unknown member as an error, not as a warning', async () => {
    const { status, body } = await request(sandbox.url).put('/_sandbox/clock').send({ mode: 'frozen', noww: 'x' });
    expect([status, body.findings]).toEqual([
      400,
      [expect.objectContaining({ path: '$.noww', received: expect.stringMatching(/now\?$/), severity: 'error' })],
    ]);
  });

  it.each(['null', '"text"', '5', 'true', '[]'])('refuses a body that is %s, which is not an object', async (sent) => {
    for (const path of ['/state', '/clock', '/webhooks/endpoints', '/scenario']) {
      const { status, body } = await request(sandbox.url).put(`/_sandbox${path}`).type('json').send(sent);
      expect([path, status, body.detail]).toEqual([
        path,
        400,
        expect.stringMatching(/^\$: expected an object.*, received /),
      ]);
    }
  });

  it('shows the API reference as a page, without resources of other hosts', async () => {
    const { text, headers } = await request(sandbox.url).get('/_sandbox/docs');
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(text).not.toMatch(/(src|href)="https?:/);
  });
});

async function startAndClose(): Promise<Sandbox> {
  const exposed = await startSandbox({ host: '0.0.0.0' });
  await exposed.close();
  return exposed;
}
