import type { SandboxClient } from '../../../src/client/client.ts';
import { post, single, tokenOf } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
/** Number of records of each kind: enough turns for another call to be answered. */
const RECORDS = 100;
/** More than a turn may take. */
const LONG_TURN_MS = 20;

const LONG_ANSWERS = [
  '/state',
  '/har',
  '/history',
  '/overview',
  '/requests?limit=1000',
  '/requests?search=nothing',
  '/event-log?limit=1000',
  '/event-log?search=nothing',
  '/payments?limit=1000',
  '/payments?search=nothing',
  '/webhooks/deliveries?limit=1000',
  '/jobs?limit=1000',
  '/ledger/accounts',
  '/ledger/entries?limit=1000',
  '/ledger/entries?merchantId=M-1999',
  '/ledger/check',
  '/balances/days',
  '/settlements/settlement-1/file',
  '/settlements/settlement-1/file?as=booked',
  '/settlements/settlement-1/file?format=csv',
  '/settlements/settlement-1/answer-key',
  '/invoices/2026-03?merchantId=M-1000&environment=sandbox&currency=USD',
  '/reports/settlement-file/settlement-1?format=csv',
  '/openapi.json',
];

let sandbox: Sandbox;
let session: SandboxClient;
let token: string;

/** A session with settled payments, payments that are not settled yet, notifications and refused calls. */
beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
  session = sandbox.session('large');
  await session.useScenario('auto-approve');
  await session.setEndpoints([{ url: 'sandbox:catch' }]);
  const pay = (members: object) => post('/sandbox/init/authenticate/merchant/wallet', single(members), session.baseUrl);
  const payMany = (day: number) =>
    Promise.all(Array.from({ length: RECORDS }, (_, number) => pay({ payerReference: `ORDER-${day}-${number}` })));
  await payMany(1);
  await session.advance('PT1H');
  await session.call('POST', '/settlements/close', {});
  await payMany(2);
  await session.advance('PT1H');
  await payMany(3);
  await Promise.all(Array.from({ length: RECORDS }, () => pay({ amount: 'none' })));
  token = await tokenOf(session.baseUrl);
});
afterAll(() => sandbox.close());

/** Makes every reading of the clock exceed the length of a turn, so that every step of long work takes a separate turn. */
beforeEach(() => {
  let readings = 0;
  const now = performance.now.bind(performance);
  import.meta.jest.spyOn(performance, 'now').mockImplementation(() => {
    readings += 1;
    return now() + readings * LONG_TURN_MS;
  });
});
afterEach(() => {
  import.meta.jest.restoreAllMocks();
});

/** Makes a long call and, concurrently, a short one in another session. `ended` names them in the order in which they ended. */
async function race(path: string, options: RequestInit = {}) {
  const ended: string[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const long = fetch(`${session.baseUrl}/_sandbox${path}`, {
    ...options,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }).then(async (answer) => {
    const text = await answer.text();
    ended.push('long');
    return { status: answer.status, text };
  });
  const short = fetch(`${sandbox.url}/_sandbox/clock`).then(async (answer) => {
    await answer.text();
    ended.push('short');
  });
  const [answer] = await Promise.all([long, short]);
  clearImmediate(counting);
  return { ended, turns, ...answer };
}

describe('a short call during a long one', () => {
  it.each(LONG_ANSWERS)('is answered before GET %s', async (path) => {
    const { ended, status, turns } = await race(path);
    expect([status, ended]).toEqual([200, ['short', 'long']]);
    expect(turns).toBeGreaterThan(RECORDS);
  });

  it('is answered before a state has been checked and restored', async () => {
    const { text: body } = await race('/state');
    const { ended, status, text, turns } = await race('/state', { method: 'PUT', body });
    expect([status, ended]).toEqual([200, ['short', 'long']]);
    expect(turns).toBeGreaterThan(10 * RECORDS);
    const { state: _, ...records } = JSON.parse(text);
    const { state: __, ...before } = JSON.parse(body);
    expect(records).toEqual(before);
  });
});
