import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { fieldsOf, pay, submit, textById } from './visits.ts';

const MOBILE = '263770000001';
const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  const fixtures = join(temporaryFolder(), 'fixtures');
  mkdirSync(fixtures);
  const limits = [
    { channels: ['mobile-money'], perDay: { maxCount: 2 } },
    { channels: ['qr-wallet'], perDay: { maxAmount: 30 } },
    { payer: { testCard: 'approved' }, perDay: { maxCount: 1 } },
  ];
  writeFileSync(join(fixtures, 'payer-limits.json'), JSON.stringify({ limits }));
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), fixtures, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessionCount += 1;
  return sandbox.session(`limits-${sessionCount}`);
}

/** Enters the PIN for the waiting payment on the phone. */
async function enterPin({ baseUrl }: SandboxClient): Promise<string> {
  const path = `/pay/phone/${MOBILE}`;
  const { text } = await request(baseUrl).get(path);
  const answer = await request(baseUrl)
    .post(path)
    .type('form')
    .send({ ...fieldsOf(text), pin: '1234', action: 'confirm' });
  return String(answer.headers['location']);
}

it('the third payment of a day on a phone fails with a code and a description; one on the next day is paid', async () => {
  const session = newSession();
  const states: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    await session.advance(number === 4 ? 'P1D' : 'PT0S');
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE, payerReference: `ORDER-${number}` });
    await enterPin(session);
    states.push((await session.payment(`payment-${number}`)).state);
  }
  expect(states).toEqual(['Paid', 'Paid', 'Failed', 'Paid']);
  const { history } = await session.payment('payment-3');
  expect(history.at(-1)).toMatchObject({ cause: 'payer', code: '65', description: 'Exceeds frequency limit' });
});

it('simultaneous approvals are accepted only up to the limit', async () => {
  const session = newSession();
  const codes = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, index) => (await pay(session, { payerReference: `ORDER-${index}` }))['paymentCode'],
    ),
  );
  await Promise.all(codes.map((code) => submit(session, `/pay/approve/${code}`, { action: 'approve' })));
  const { items } = await session.payments();
  expect(items.map(({ state }) => state).toSorted()).toEqual([...Array(5).fill('Failed'), ...Array(3).fill('Paid')]);
});

it('the checkout shows a payer why a payment over a limit failed, and keeps the chosen test card', async () => {
  const session = newSession();
  const checkout = async () => {
    const { paymentId } = await pay(session, { walletName: 'WALLET_CARD_A' });
    return `/pay/checkout?paymentCode=${paymentId}`;
  };
  await submit(session, await checkout(), { testCard: 'approved' });
  const second = await checkout();
  await submit(session, second, { testCard: 'approved' });
  const { text } = await request(session.baseUrl).get(second);
  expect([textById(text, 'outcome'), textById(text, 'why')]).toEqual([
    'The payment failed.',
    'Maximum transaction frequency exceeded.',
  ]);
  expect(await session.payment('payment-2')).toMatchObject({ testCard: 'approved' });
});

it('the control API can exceed a limit, and a scenario cannot', async () => {
  const session = newSession();
  const wallet = { walletName: 'WALLET_MOBILE', payerMobile: MOBILE };
  for (const number of [1, 2, 3]) {
    await pay(session, wallet);
    expect((await session.settle(`payment-${number}`, 'Paid')).state).toBe('Paid');
  }
  await session.useScenario('auto-approve');
  await pay(session, wallet);
  await session.runUntilIdle();
  expect(await session.payment('payment-4')).toMatchObject({
    state: 'Failed',
    history: [{}, { cause: 'scenario', code: '65' }],
  });
});

it('a payment fails with code 51 if earlier ones left too little of the balance that a scenario sets', async () => {
  const session = newSession();
  await session.defineScenario({
    name: 'poor',
    description: 'the payer has 15.00',
    rules: [
      {
        when: { body: { properties: { payerMobile: { const: MOBILE } }, required: ['payerMobile'] } },
        balance: '15.00',
      },
    ],
  });
  await session.useScenario('poor');
  for (const _ of [1, 2]) {
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: MOBILE });
    await enterPin(session);
  }
  expect(await session.payment('payment-2')).toMatchObject({
    state: 'Failed',
    payerBalance: '15.00',
    history: [{}, { code: '51', description: 'Insufficient funds' }],
  });
});
