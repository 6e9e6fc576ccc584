import * as fc from 'fast-check';
import request from 'supertest';
import { namesIn } from '../../../src/base/members.ts';
import { toMinorUnits } from '../../../src/base/money.ts';
import type { LedgerAccountView } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { LEDGER_OPERATIONS } from '../../../src/server/control-api/handlers/ledger.ts';
import { cases } from '../../cases.ts';
import { post } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`ledger-${sessions}`);
}

async function makePaidPayment({ baseUrl }: SandboxClient, members: Record<string, unknown>): Promise<void> {
  const order = { ...exampleOf('requests/single-payment', members), ...MERCHANT };
  expect((await post('/sandbox/init/authenticate/merchant/wallet', order, baseUrl)).status).toBe(200);
  await request(baseUrl).post(`/_sandbox/payments/${members['payerReference']}/settle`).send({ outcome: 'Paid' });
}

const get = async ({ baseUrl }: SandboxClient, path: string) => (await request(baseUrl).get(`/_sandbox/${path}`)).body;

it('the ledger lists entries in the order of the moves, page by page, from either end', async () => {
  const session = newSession();
  for (const payerReference of ['A', 'B', 'C']) {
    await makePaidPayment(session, { payerReference });
  }
  const moves = async (query: string) => {
    const { items, nextCursor } = await get(session, `ledger/entries?${query}`);
    return { moves: items.map(({ move }: { move: number }) => move), nextCursor };
  };
  expect(await moves('')).toEqual({ moves: [1, 2, 3], nextCursor: null });
  for (const [order, pages] of [
    ['oldest', [[1, 2], [3]]],
    ['newest', [[3, 2], [1]]],
  ] as const) {
    const { nextCursor, ...first } = await moves(`limit=2&order=${order}`);
    expect(first).toEqual({ moves: pages[0] });
    expect(await moves(`limit=2&order=${order}&cursor=${nextCursor}`)).toEqual({ moves: pages[1], nextCursor: null });
  }
});

it('the ledger finds entries by account, merchant, environment, currency, record and event', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A' });
  await makePaidPayment(session, { payerReference: 'B', walletName: 'WALLET_CARD_A' });
  const recordIdsOf = async (query: string) => {
    const { items } = await get(session, `ledger/entries?${query}`);
    return items.map(({ recordId }: { recordId: string }) => recordId);
  };
  const ids = ['payment-1', 'payment-2'];
  expect(await recordIdsOf('account=payers:card-network-a')).toEqual(['payment-2']);
  expect(await recordIdsOf('merchantId=M-1000')).toEqual(ids);
  expect(await recordIdsOf('merchantId=M-1001')).toEqual([]);
  expect(await recordIdsOf('environment=sandbox')).toEqual(ids);
  expect(await recordIdsOf('environment=production')).toEqual([]);
  expect(await recordIdsOf('currency=usd&event=payment.paid')).toEqual(ids);
  expect(await recordIdsOf('recordId=payment-1')).toEqual(['payment-1']);
});

it('the balances of the ledger accounts are the sums of all entries, whenever they are queried', async () => {
  const session = newSession();
  const act = {
    pay: (count: number) => makePaidPayment(session, { payerReference: `P-${count}` }),
    refund: () =>
      request(session.baseUrl)
        .post('/_sandbox/payments/payment-1/adjustments')
        .send({ kind: 'refund', amount: '0.01' }),
    closeSettlements: () => request(session.baseUrl).post('/_sandbox/settlements/close').send({}),
    queryAccounts: () => get(session, 'ledger/accounts'),
    restore: async () =>
      request(session.baseUrl)
        .put('/_sandbox/state')
        .send(await get(session, 'state')),
    reset: () => request(session.baseUrl).post('/_sandbox/reset'),
  };
  const anyAct = fc.constantFrom(...namesIn(act), 'pay' as const, 'pay' as const, 'queryAccounts' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 3, maxLength: 15 }), async (acts) => {
      await act.reset();
      for (const [index, each] of acts.entries()) {
        await act[each](index);
      }
      const sums = new Map<string, number>();
      for (const { postings } of (await get(session, 'ledger/entries?limit=200')).items) {
        for (const { account, side, amount } of postings) {
          sums.set(account, (sums.get(account) ?? 0) + (side === 'credit' ? 1 : -1) * toMinorUnits(amount));
        }
      }
      const { items } = await act.queryAccounts();
      const balances = items.map(({ account, balance }: LedgerAccountView) => [account, toMinorUnits(balance)]);
      expect(new Map(balances)).toEqual(sums);
    }),
    { numRuns: cases(40), seed: 27 },
  );
});

it('the books of a session without payments balance', async () => {
  expect(await get(newSession(), 'ledger/check')).toMatchObject({ balanced: true, moves: 0 });
});

it('a state whose books do not balance is refused with the differences, and changes nothing', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A' });
  const state = await get(session, 'state');
  const before = JSON.stringify(state);
  state.payments[0].state = 'Failed';
  const { status, body } = await request(session.baseUrl).put('/_sandbox/state').send(state);
  expect(status).toBe(400);
  expect(body.findings).toContainEqual({
    path: '$.payments[0]',
    expected: 'a history that ends with Failed (payment-1)',
    received: 'Paid',
    severity: 'error',
  });
  expect(body.findings).toContainEqual({
    path: '$',
    expected: '0.00, by the records (sandbox USD merchant:M-1000)',
    received: '7.60',
    severity: 'error',
  });
  expect(JSON.stringify(await get(session, 'state'))).toBe(before);
});

it('the check of the ledger answers 500 with the differences if the books do not balance', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A' });
  const { state, payments } = await get(session, 'state');
  const list = async (collection: string) => ({ items: collection === 'payments' ? payments : [], nextCursor: null });
  const check = LEDGER_OPERATIONS.find(({ name }) => name === 'checkLedger');
  const transact = (work: (reader: object) => unknown) => work({ list, last: () => state.counters.move });
  const checkedSession = { transact, markUsed: () => undefined, confirm: async () => undefined };
  const answer = await check?.handle({
    sessionName: 'a',
    parts: { sessions: { getExisting: async () => checkedSession } },
  } as never);
  expect(answer).toMatchObject({
    status: 500,
    body: {
      balanced: false,
      differences: [{ subject: 'move 1 of payment-1', expected: 'a settlement that contains it', found: 'none' }],
    },
  });
});
