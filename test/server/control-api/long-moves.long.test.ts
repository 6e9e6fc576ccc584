import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { post, tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
/** Long enough for more events than an answer lists. */
const YEARS = 9;
const END = new Date(Date.UTC(2026 + YEARS, 2, 1, 10)).toISOString();
const SUBSCRIPTIONS = Number(process.env['SUBSCRIPTIONS'] ?? 1);
const newFolder = temporaryFolders();

let sandbox: Sandbox;

beforeAll(async () => {
  const fixtures = newFolder();
  // Payment tokens must outlive the subscriptions.
  writeFileSync(join(fixtures, 'times.json'), JSON.stringify({ paymentTokenLifetime: 'P100Y' }));
  sandbox = await startSandbox({ now: START, fixtures });
});
afterAll(() => sandbox.close());

/** A session in which `SUBSCRIPTIONS` recurring payments are charged every day. */
async function sessionWithSubscriptions(name: string): Promise<SandboxClient> {
  const session = sandbox.session(name);
  const token = await tokenOf(session.baseUrl);
  const call = (path: string, body: object) => post(path, { ...body, ...MERCHANT }, session.baseUrl, token);
  const { body } = await call('/api/requestPaymentToken', exampleOf('requests/payment-token'));
  const daily = {
    recurringIntervalId: '2',
    recurringIntervalName: 'Daily',
    recurringStartDate: '2026-03-02',
    recurringExpiryDate: '2099-12-31',
    recurringPaymentToken: body.paymentToken,
  };
  for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
    await call('/api/addRecurringPayment', exampleOf('requests/recurring-payment', daily));
  }
  return session;
}

const chargesIn = async (session: SandboxClient) =>
  (await session.list<{ charges: number }>('recurring-payments')).items.map(({ charges }) => charges);

it('a long move of the clock does not block other requests, and shows its progress and events', async () => {
  const session = await sessionWithSubscriptions('long');
  let hasEnded = false;
  const move = session.advance(`P${YEARS}Y`).finally(() => {
    hasEnded = true;
  });
  const times: string[] = [];
  let answered = 0;
  let slowest = 0;
  while (!hasEnded) {
    const began = performance.now();
    await request(sandbox.url).get('/_sandbox/clock');
    slowest = Math.max(slowest, performance.now() - began);
    times.push((await session.clock()).now);
    answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { now, happened, more } = await move;
  if (process.env['SUBSCRIPTIONS']) {
    process.stderr.write(`others were answered ${answered} times, ${Math.round(slowest)} ms at most\n`);
  }
  expect(now).toBe(END);
  expect(answered).toBeGreaterThan(5);
  expect(new Set(times).size).toBeGreaterThan(2);
  expect(times).toEqual(times.toSorted());
  expect([happened?.length, (more ?? 0) > 0]).toEqual([10_000, true]);
});

it.each([
  ['/clock/advance', JSON.stringify({ by: `P${YEARS}Y` })],
  ['/clock/run-until-idle', undefined],
])('%s stops between two charges when its caller disconnects, and the clock stays there', async (path, body) => {
  const session = await sessionWithSubscriptions(path.slice(path.lastIndexOf('/') + 1));
  const call = httpRequest(`${session.baseUrl}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  });
  call.on('error', () => undefined);
  call.end(body);
  while ((await session.clock()).now === '2026-03-01T10:00:00.000Z') {
    // The clock has not begun to move.
  }
  call.destroy();
  // Moves run one after another. Running until idle consists of many moves, so other moves may run in between.
  let [before, { now }] = ['', await session.advance('PT0S')];
  while (now !== before) {
    [before, { now }] = [now, await session.advance('PT0S')];
  }
  expect(Date.parse(now)).toBeLessThan(Date.parse(END));
  const days = Math.floor((Date.parse(now) - Date.parse('2026-03-01T22:00:00Z')) / 86_400_000) + 1;
  expect(await chargesIn(session)).toEqual(Array.from({ length: SUBSCRIPTIONS }, () => days));
  await session.advance('P1D');
  expect(await chargesIn(session)).toEqual(Array.from({ length: SUBSCRIPTIONS }, () => days + 1));
});
