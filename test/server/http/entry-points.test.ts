import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import request from 'supertest';
import { validate } from '../../../src/base/schema/validation.ts';
import { cases } from '../../cases.ts';
import { exampleOf } from '../../interface/examples.ts';
import { rawCall, withoutVaryingParts } from '../../raw-call.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
});
afterAll(() => sandbox.close());

/** Sends one request with a method and target that most clients would not send. */
function send(method: string, path: string, headers: Record<string, string> = {}, url = sandbox.url) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = rawRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    call.on('error', reject);
    call.end();
  });
}

describe('an answer of an entry point', () => {
  it.each([
    ['/param/paymentIntervals', 200],
    ['/nothing', 404],
    ['/_sandbox/health', 200],
    ['/_sandbox/nothing', 404],
    ['/pay/phone', 200],
    ['/pay/nothing', 404],
  ])('has neither X-Powered-By nor ETag, for example for %s', async (path, status) => {
    const { headers, ...answer } = await send('GET', path);
    expect(answer.status).toBe(status);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });
});

describe('a refusal in the form of its entry point', () => {
  it.each([
    ['POST', '/pay/phone', 405, 'text/html; charset=utf-8', 'GET'],
    ['DELETE', '/_sandbox/clock', 405, 'application/problem+json; charset=utf-8', 'GET, PUT'],
    ['DELETE', WALLET, 405, 'text/plain;charset=UTF-8', 'POST'],
    ['OPTIONS', WALLET, 405, 'text/plain;charset=UTF-8', 'POST'],
  ])('answers %s %s, a method that is not allowed', async (method, path, status, type, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers['content-type'], answer.headers['allow']]).toEqual([status, type, allow]);
  });

  it.each([
    ['/s/a%20b/pay/phone', 404, 'text/html; charset=utf-8'],
    ['/s/a%20b/_sandbox/clock', 400, 'application/problem+json; charset=utf-8'],
    ['/s/a%20b/param/paymentIntervals', 400, 'text/plain;charset=UTF-8'],
    ['/s/%zz/param/paymentIntervals', 400, 'text/plain;charset=UTF-8'],
  ])('answers %s, which has an invalid session name', async (path, status, type) => {
    const answer = await send('GET', path);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
  });

  it('answers a call whose header has an invalid session name, in the envelope of its operation', async () => {
    const answer = await send('POST', WALLET, { 'X-Sandbox-Session': 'a b' });
    expect(answer.status).toBe(400);
    expect(await validate('responses/failed-payment', JSON.parse(answer.text))).toEqual([]);
    expect(answer.text).toContain('is not a session name');
  });

  it('answers a form or a JSON body that cannot be read', async () => {
    const form = await request(sandbox.url)
      .post('/pay/phone/1')
      .type('form')
      .send(`a=${'x'.repeat(100_000)}`);
    expect([form.status, form.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    const json = await request(sandbox.url).put('/_sandbox/clock').type('json').send('{"mode"');
    expect([json.status, JSON.parse(json.text).title]).toEqual([400, 'malformed-body']);
  });
});

describe('the target of a request', () => {
  const paths = [
    '/',
    '/?a=b',
    '/param/paymentIntervals',
    '/s/own/param/paymentIntervals',
    '/_sandbox/clock',
    '/pay/phone',
  ];
  const raw = async (target: string, method = 'GET') => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    return withoutVaryingParts(await rawCall(sandbox.url, text));
  };

  it('leads to 200, 303 or 4xx, and never to the error page of Express', async () => {
    const method = fc.constantFrom('GET', 'OPTIONS', 'DELETE', 'HEAD', 'PROPFIND', 'M-SEARCH');
    const start = fc.constantFrom(
      '*',
      '/',
      '//',
      '?',
      'http://a.test',
      'http://a.test/',
      'https://a.test?',
      'ftp://a/',
      '',
    );
    const rest = fc.string({ unit: fc.constantFrom(...'/*?%a_s:@#.[]'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(method, start, rest, async (verb, begin, end) => {
        const answer = await raw(`${begin}${end}`, verb);
        expect(answer).toMatch(/^HTTP\/1.1 (200|303|4\d\d) /);
        // These are the headers of Express's own error page.
        expect(answer).not.toContain("Content-Security-Policy: default-src 'none'\r\nX-Content-Type-Options: nosniff");
      }),
      {
        numRuns: cases(200),
        examples: [
          ['GET', '//', '#@_'],
          ['GET', '//', '\u00a0@_'],
        ],
      },
    );
  });

  it('may be a complete address, whose host does not change the answer', async () => {
    await sandbox.client.freeze();
    for (const path of paths) {
      for (const origin of ['http://elsewhere.test', 'HTTPS://[fd00::1]:99']) {
        expect([path, await raw(`${origin}${path}`)]).toEqual([path, await raw(path)]);
      }
    }
    expect(await raw('http://elsewhere.test')).toBe(await raw('/'));
    await sandbox.client.unfreeze();
  });

  it('may be * for OPTIONS', async () => {
    expect(await raw('*', 'OPTIONS')).toMatch(
      /^HTTP\/1.1 404 Not Found\r\nContent-Type: text\/plain[\s\S]*{"errorMessage":"nothing is served at OPTIONS \\"\*\\";/,
    );
  });
});

describe('an address', () => {
  it('may contain percent signs that encode nothing', async () => {
    expect((await send('GET', '/_sandbox/payments/50%')).status).toBe(404);
    expect(JSON.parse((await send('GET', '/_sandbox/payments/50%')).text).detail).toContain('"50%"');
    expect((await send('POST', '/api/cancelRecurringPayment/%ff')).status).toBe(401);
  });

  it('is matched exactly', async () => {
    for (const path of ['/Param/paymentIntervals', '/param/paymentIntervals/', '//param/paymentIntervals']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
    }
  });

  it('may contain its session before a query, or at the end', async () => {
    expect((await send('GET', '/s/other/param/paymentIntervals?a=/s/x')).status).toBe(200);
    expect((await send('GET', '/s/other/nothing')).status).toBe(404);
    for (const path of ['/s/other', '/s/other?a=b']) {
      expect((await send('GET', path)).text).toContain(`${sandbox.url}/s/other/_sandbox/docs`);
    }
  });
});

describe('a call that no route matches', () => {
  const logged = async (session: string) =>
    (await sandbox.session(session).list<Record<string, unknown>>('requests')).items[0];

  it('is logged with its body, secrets masked', async () => {
    const url = sandbox.sessionUrl('nowhere');
    const body = exampleOf('requests/single-payment');
    await request(url).post(`${WALLET}s`).send(body);
    expect(await logged('nowhere')).toMatchObject({
      operation: null,
      nearest: `POST ${WALLET}`,
      body: { ...body, merchantApiKey: '***', merchantKey: '***' },
      answer: { status: 404 },
    });
    await request(url).put(WALLET).type('json').send('{"merchantKey":"hush","amount":10');
    expect(await logged('nowhere')).toMatchObject({ body: '{"merchantKey":***,"amount":10', answer: { status: 405 } });
    await request(url).get('/nothing');
    expect(await logged('nowhere')).not.toHaveProperty('body');
  });

  it('is answered although its body is larger than any operation accepts', async () => {
    const answer = await request(sandbox.sessionUrl('nowhere'))
      .post('/nothing')
      .send('x'.repeat(7 * 1024 * 1024));
    expect(answer.status).toBe(404);
  });

  it('has no effect on other calls if its client disconnects within the body', async () => {
    const { port } = new URL(sandbox.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('POST /s/left/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a"', () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await send('GET', '/param/paymentIntervals')).status).toBe(200);
  });
});

describe('a sandbox with the maximum number of sessions', () => {
  let full: Sandbox;
  beforeAll(async () => {
    full = await startSandbox({ maxSessions: 1 });
    await full.session('only').clock();
  });
  afterAll(() => full.close());

  it.each([
    ['POST', WALLET, 'responses/failed-payment'],
    ['POST', '/auth/authenticate/merchant', 'responses/failed-access-token'],
    ['POST', '/api/merchant/fastCheckOut', 'responses/failed-payment-link'],
    ['POST', '/sandbox/init/authenticate/merchant/bulkPayment', 'responses/failed-acknowledgement'],
    ['GET', '/param/paymentIntervals', 'responses/failed-query'],
    ['GET', WALLET, 'responses/failed-payment'],
    ['GET', '/nothing', 'responses/failed-query'],
  ])('refuses %s %s with 429 in the envelope of the operation', async (method, path, schema) => {
    const answer = await send(method, path, {}, full.url);
    expect([answer.status, answer.headers['x-sandbox-outcome']]).toEqual([429, 'refused: too-many-sessions (SBX-R16)']);
    expect(await validate(schema, JSON.parse(answer.text))).toEqual([]);
    expect(answer.text).toContain('--max-sessions');
  });

  it('reads a large body completely, so that the client can read the answer', async () => {
    const body = 'x'.repeat(20 * 1024 * 1024);
    const answer = await fetch(`${full.url}${WALLET}`, { method: 'POST', body });
    expect([answer.status, answer.headers.get('connection')]).toEqual([429, 'keep-alive']);
    await answer.text();
  });

  it('refuses a control call with problem details, and a page with a page', async () => {
    const control = await send('GET', '/_sandbox/payments', {}, full.url);
    expect([control.status, JSON.parse(control.text).title]).toEqual([429, 'too-many-sessions']);
    const page = await send('GET', '/pay/phone', {}, full.url);
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect(page.text).toContain('--max-sessions');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await send('GET', '/s/another/pay/assets/payer.css', {}, full.url)).status).toBe(200);
  });

  it('answers a call that needs no session, without creating one', async () => {
    for (const path of ['/health', '/openapi.json', '/docs', '/sessions']) {
      expect([path, (await send('GET', `/_sandbox${path}`, {}, full.url)).status]).toEqual([path, 200]);
    }
    expect((await full.client.list<{ name: string }>('sessions')).items.map(({ name }) => name)).toEqual(['only']);
  });

  it('can delete a session and then create another one', async () => {
    await full.client.deleteSession('only');
    await full.client.createSession('next', { scenario: 'declined' });
    expect((await full.client.list<{ name: string }>('sessions')).items.map(({ name }) => name)).toEqual(['next']);
    await expect(full.client.createSession('more', { scenario: 'magic' })).rejects.toThrow(
      '$.scenario: expected one of',
    );
  });
});

it("a connection is closed if the client's body is not read completely", async () => {
  const maxReadBytes = 64 * 1024 * 1024;
  const { port } = new URL(sandbox.url);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const head = `POST ${WALLET} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${2 ** 30}\r\n\r\n`;
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(head);
      socket.write(Buffer.alloc(maxReadBytes + 1, 'x'));
    });
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(received));
  });
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
});
