import { once } from 'node:events';
import { type ClientRequest, createServer, IncomingMessage, request as plainRequest, ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect, Socket } from 'node:net';
import { jsonOnlyAccept, sendAnswer } from '../../../src/server/merchant-api/send-answer.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const PAYMENT = JSON.stringify(exampleOf('requests/single-payment'));
const RULE = 'rule 1 of own-rules, chosen by session';
const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ httpsPort: 0, tlsFolder: temporaryFolder(), now: Date.parse('2026-03-01T10:00:00Z') });
});
afterAll(() => sandbox.close());

type Transport = 'HTTP' | 'HTTPS';
const baseOf = (transport: Transport) => (transport === 'HTTP' ? sandbox.url : (sandbox.httpsUrl ?? ''));

let sessionCount = 0;
async function sessionWith(fault: object) {
  sessionCount += 1;
  const session = sandbox.session(`answer-${sessionCount}`);
  await session.useRules([{ fault }]);
  return session;
}

type Session = Awaited<ReturnType<typeof sessionWith>>;

/** Begins a call that initiates a payment. `body` may be only the beginning of its body. */
function startCall(transport: Transport, { baseUrl }: Session, body = PAYMENT): ClientRequest {
  const send = transport === 'HTTP' ? plainRequest : secureRequest;
  const length = Buffer.byteLength(PAYMENT);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length, Connection: 'keep-alive' };
  const call = send(baseUrl.replace(sandbox.url, baseOf(transport)) + WALLET, {
    method: 'POST',
    agent: false,
    rejectUnauthorized: false,
    headers,
  });
  call.on('error', () => undefined);
  call.write(body);
  return call;
}

/** The answer to a call that was sent completely, or the reason why it has no answer. */
async function answerOf(call: ClientRequest): Promise<string> {
  call.end();
  const answered = once(call, 'response').then(async ([response]) => {
    let text = '';
    for await (const chunk of response) {
      text += chunk;
    }
    return `${response.statusCode} ${text}`;
  });
  return answered.catch((error: Error) => error.message);
}

/** Makes the server close the connection, so that it knows that the client has left. */
async function breakConnection({ socket }: ClientRequest): Promise<void> {
  const closed = once(socket as Socket, 'close');
  socket?.write('no HTTP');
  await closed;
}

interface LoggedOutcome {
  outcome: string | null;
  answer: object | null;
}

/** The entry of the only call, once it has ended. */
async function loggedOutcome({ baseUrl }: Session): Promise<LoggedOutcome> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/_sandbox/requests`);
    const { items } = await answer.json();
    if (items.length > 0) {
      const [{ outcome, answer: sent }] = items;
      return { outcome, answer: sent };
    }
  }
}

/** The number of calls that ended without an answer, from the metrics. */
async function unansweredCalls(): Promise<number> {
  const text = await (await fetch(`${sandbox.url}/_sandbox/metrics`)).text();
  const counted = /^merchant_sandbox_requests_total\{.*status="none"\} (\d+)$/m.exec(text)?.[1];
  return Number(counted ?? 0);
}

describe.each<Transport>(['HTTP', 'HTTPS'])('over %s, a fault', (transport) => {
  it.each([
    ['reset', {}, 'read ECONNRESET'],
    ['empty-body', {}, '200 '],
    ['malformed-body', {}, '200 {"status":"Success","paymentInit'],
    ['status', { status: 503, message: 'Out of order' }, /^503 .*Out of order/],
    ['latency', { latency: 'PT2S' }, /^200 .*"status"/],
  ])('of kind %s is applied before and after the operation, and on arrival', async (kind, members, expected) => {
    for (const at of ['before', 'after', 'arrival']) {
      const session = await sessionWith({ at, kind, ...members });
      const call = startCall(transport, session);
      const answer = answerOf(call);
      if (kind === 'latency') {
        let isAnswered = false;
        void answer.then(() => {
          isAnswered = true;
        });
        while (!isAnswered) {
          await session.advance('PT2S');
        }
      }
      expect([at, await answer]).toEqual([at, expect.stringMatching(expected)]);
      expect((await loggedOutcome(session)).outcome).toContain(`${RULE}; ${kind}`);
    }
  });

  it('of kind timeout ends when the client disconnects', async () => {
    const session = await sessionWith({ at: 'after', kind: 'timeout' });
    const call = startCall(transport, session);
    call.end();
    await session.waitForEvent('payment.created', LONG_WAIT);
    call.destroy();
    expect(await loggedOutcome(session)).toEqual({ outcome: `${RULE}; timeout after the call`, answer: null });
  });

  it.each([
    ['timeout', {}, '; timeout after the call, latency 2 s'],
    [
      'status',
      { status: 503 },
      '; status 503 after the call, latency 2 s; the client closed the connection before the answer',
    ],
    ['latency', {}, '; latency after the call, latency 2 s; the client closed the connection before the answer'],
  ])('of kind %s ends after its latency, even if the client disconnects first', async (kind, members, outcome) => {
    const session = await sessionWith({ at: 'after', kind, latency: 'PT2S', ...members });
    const countBefore = await unansweredCalls();
    const call = startCall(transport, session);
    call.end();
    await session.waitForEvent('payment.created', LONG_WAIT);
    await breakConnection(call);
    await session.advance('PT2S');
    expect(await loggedOutcome(session)).toEqual({ outcome: RULE + outcome, answer: null });
    expect(await unansweredCalls()).toBe(countBefore + 1);
    const { steps } = await session.history();
    expect(steps.map(({ line }) => line).at(-1)).toContain('answered');
  });

  it('of kind timeout ends when the client disconnects, also for a pipelined call', async () => {
    const session = await sessionWith({ at: 'after', kind: 'timeout' });
    const first = startCall(transport, session);
    first.end();
    const { id: since } = await session.waitForEvent('payment.created', LONG_WAIT);
    const head = `POST ${new URL(session.baseUrl).pathname}${WALLET} HTTP/1.1\r\nHost: localhost`;
    const headers = `Content-Type: application/json\r\nContent-Length: ${PAYMENT.length}`;
    first.socket?.write(`${head}\r\n${headers}\r\n\r\n${PAYMENT}`);
    await session.waitForEvent('payment.created', { since, ...LONG_WAIT });
    const countBefore = await unansweredCalls();
    first.destroy();
    while ((await unansweredCalls()) < countBefore + 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await session.list('requests')).items).toHaveLength(2);
  });

  it('is not applied to a call whose client disconnects while sending it', async () => {
    const session = await sessionWith({ at: 'after', kind: 'timeout' });
    const call = startCall(transport, session, PAYMENT.slice(0, 20));
    await once(call, 'socket');
    await once(call.socket as Socket, transport === 'HTTP' ? 'connect' : 'secureConnect');
    await new Promise<void>((resolve) => call.write('x', () => resolve()));
    call.destroy();
    expect(await loggedOutcome(session)).toEqual({
      outcome: 'the client closed the connection before the end of its request',
      answer: null,
    });
  });
});

describe('an answer', () => {
  it.each([
    ['closes the connection if the request is incomplete', '4\r\n\r\nab', 'close'],
    ['keeps the connection if the request is complete', '2\r\n\r\nab', 'keep-alive'],
  ])('%s', async (_title, lengthAndBody, expected) => {
    const server = createServer((request, response) => {
      request.once('data', () => {
        setImmediate(() => sendAnswer(response, { status: 413, text: '{}', isNegotiated: false, headers: {} }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1', () =>
      client.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${lengthAndBody}`),
    );
    const [head] = await once(client.setEncoding('latin1'), 'data');
    client.destroy();
    server.close();
    expect(head).toContain(`\r\nConnection: ${expected}\r\n`);
  });
});

describe('a negotiated answer', () => {
  const TEXT_TYPE = 'text/plain;charset=UTF-8';
  const JSON_TYPE = 'application/json;charset=UTF-8';

  it.each([
    [undefined, TEXT_TYPE, false],
    ['*/*', TEXT_TYPE, false],
    ['text/plain', TEXT_TYPE, false],
    ['application/json;q=0.5, text/plain', TEXT_TYPE, false],
    ['application/json, text/plain;q=0.5', JSON_TYPE, false],
    ['application/json, */*;q=0.1', JSON_TYPE, false],
    ['application/json', JSON_TYPE, true],
    ['image/png', TEXT_TYPE, false],
  ])('to a client with the Accept header %p has the type %s', (accept, type, isJsonOnly) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      headers: accept === undefined ? {} : { accept },
    });
    // More than once, because the type for a header is cached.
    for (const isNegotiated of [true, false, true]) {
      const answer = { status: 200, text: '{"a":"ä"}', isNegotiated, headers: { 'X-Own': '1' } };
      expect(sendAnswer(new ServerResponse(request), answer).headers).toMatchObject({
        'Content-Type': isNegotiated ? type : TEXT_TYPE,
        'Content-Length': '10',
        'X-Own': '1',
      });
    }
    expect(jsonOnlyAccept(request)).toBe(isJsonOnly ? accept : undefined);
  });
});
