// A user's suite, the same for each test runner: every test uses its own session, pays once, settles the payment, waits for the
// notification and checks the calls. SUBJECT selects the server: the sandbox, or, for the same number of calls, a bare server or a peer.
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');

const { TESTS = '', SUBJECT = '', REPORT = '', PEERS = '.', BUILD = '.' } = process.env;
const JSON_TYPE = { 'content-type': 'application/json' };
/** The calls of a test with the sandbox, without the wait for the notification. */
const CALLS = 6;
const ANSWER = { answer: 'x'.repeat(600) };
const PAYMENT = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
  walletName: 'WALLET_CARD_A',
  amount: '10.00',
  paymentCurrency: 'USD',
  paymentDescription: 'Order',
  payerName: 'Ann Payer',
  payerAccountId: 7,
  profileId: 1,
};

const SUBJECTS = { sandbox, bare, nock, mockttp };

async function pay(url, payerReference) {
  const body = JSON.stringify({ ...PAYMENT, payerReference });
  const answer = await fetch(url, { method: 'POST', headers: JSON_TYPE, body });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(text);
  }
}

async function payRepeatedly(url, reference) {
  for (let calls = 0; calls < CALLS; calls += 1) {
    await pay(url, reference);
  }
}

async function listen(onRequest) {
  const server = createServer((request, response) => request.resume().on('end', () => onRequest(response)));
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

async function sandbox() {
  const { startSandbox } = require(join(BUILD, 'dist/index.cjs'));
  const running = await startSandbox();
  const { server, url } = await listen((response) => response.writeHead(204).end());
  return {
    async run(reference) {
      const session = running.session(reference);
      await session.setEndpoints([{ url }]);
      await pay(`${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`, reference);
      await session.settle(reference, 'Paid');
      await session.waitForDelivery(reference);
      await session.verify({ match: { operation: 'initiatePayment' }, count: 1 });
      await running.client.deleteSession(reference);
    },
    async close() {
      await running.close();
      server.close();
    },
  };
}

async function bare() {
  const { server, url } = await listen((response) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(ANSWER)));
  return {
    run: (reference) => payRepeatedly(url, reference),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function peer(name) {
  return createRequire(join(resolve(PEERS), 'package.json'))(name);
}

/** Answers within the process, and neither validates nor stores anything. */
async function nock() {
  const library = peer('nock');
  return {
    async run(reference) {
      library('http://payments.example').post('/pay').times(CALLS).reply(200, ANSWER);
      await payRepeatedly('http://payments.example/pay', reference);
      library.cleanAll();
    },
    close: () => library.restore(),
  };
}

/** Serves the answers that each test sets, and removes them after it. */
async function mockttp() {
  const server = peer('mockttp').getLocal();
  await server.start();
  return {
    async run(reference) {
      await server.forPost('/pay').thenJson(200, ANSWER);
      await payRepeatedly(server.urlFor('/pay'), reference);
      server.reset();
    },
    close: () => server.stop(),
  };
}

/** Defines the tests with a runner's functions, and reports after them. The first is not counted, because it loads shared modules. */
exports.define = ({ test, beforeAll, afterAll }) => {
  const loaded = performance.now();
  let subject;
  let first;
  beforeAll(async () => {
    subject = await SUBJECTS[SUBJECT]();
  });
  for (let number = 0; number <= Number(TESTS); number += 1) {
    test(`test ${number}`, async () => {
      await subject.run(`ORDER-${number}`);
      first ??= performance.now();
    });
  }
  afterAll(async () => {
    const perTest = (performance.now() - first) / Number(TESTS);
    writeFileSync(REPORT, JSON.stringify({ perTest, first: first - loaded }));
    await subject.close();
  });
};
