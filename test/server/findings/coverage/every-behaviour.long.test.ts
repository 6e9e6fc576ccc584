import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient, ShownCoverage } from '../../../../src/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { startReceiver } from '../../domain/webhooks/receiver.ts';
import { createLink, submit } from '../../payer-pages/visits.ts';
import { call, MOBILE, payOn, queryStatus, REFERENCE, run } from './merchant.ts';

const temporaryFolder = temporaryFolders();
const nothing = async () => {};

type Cell = ShownCoverage['cells'][number];

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
  const fixtures = temporaryFolder();
  writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ notify: true }));
  sandbox = await startSandbox({ checkAnswers: true, fixtures });
});
afterAll(async () => {
  await sandbox.close();
  await receiver.close();
});

/** Runs the line of code that a cell suggests, in a test for its class. */
const TRIES: Readonly<Record<Cell['class'], (cell: Cell, session: SandboxClient) => Promise<unknown>>> = {
  async outcomes(cell, session) {
    if (cell.of === 'payouts') {
      await session.freeze('2026-03-01T10:00:00Z');
      await session.setEndpoints([{ url: receiver.url }]);
      await call('initiateBulkPayout', session, nothing);
      await run(cell, session, (await session.payout('payout-1')).payerReference);
      await session.runUntilIdle();
      return;
    }
    await payOn(session, cell.of);
    await run(cell, session);
    await queryStatus(session, cell.of);
  },
  async faults(cell, session) {
    const limits = cell.what === 'timeout' ? [200, 2000, 20_000] : [undefined];
    for (const limitMs of limits) {
      await call(cell.of, session, () => run(cell, session), limitMs);
      // Under load, the first call may be given up before it arrives.
      if ((await session.list('requests', { operation: cell.of })).items.length > 0) {
        return;
      }
    }
  },
  async notifications(cell, session) {
    await session.freeze('2026-03-01T10:00:00Z');
    await session.setEndpoints([{ url: receiver.url }]);
    if (cell.of.startsWith('settlement.')) {
      await payOn(session);
      await session.settle(REFERENCE, 'Paid');
      await run(cell, session);
      await session.runUntilIdle();
      return;
    }
    const initiate = () =>
      cell.of.startsWith('payout.') ? call('initiateBulkPayout', session, nothing) : payOn(session);
    await run(cell, session);
    await initiate();
    await session.runUntilIdle();
    await (cell.what === 'dropped' ? queryStatus(session) : undefined);
  },
  pages: (cell, session) => visit(cell, session),
};

async function visit({ of, what: action }: Cell, session: SandboxClient): Promise<void> {
  const pathTo: Readonly<Record<string, () => Promise<string>>> = {
    '/pay/approve/{code}': async () => `/pay/approve/${(await payOn(session))['paymentCode']}`,
    '/pay/phone/{mobile}': () => payOn(session, 'mobile-money').then(() => `/pay/phone/${MOBILE}`),
    '/pay/checkout': () => checkoutOf(session),
    '/pay/checkout/challenge': async () => {
      const { headers } = await submit(session, await checkoutOf(session), { testCard: 'challenge-passed' });
      return String(headers['location']).replace(new URL(session.baseUrl).pathname, '');
    },
    '/pay/link/{token}': () => createLink(session),
    '/pay/scan/{code}': async () => {
      const order = {
        merchantId: 'M-1000',
        reference: 'TILL-1',
        amount: '2.50',
        currency: 'USD',
        description: 'Coffee',
      };
      await session.call('POST', '/shop-codes', order);
      return '/pay/scan/shop-code-1';
    },
  };
  const path = (await pathTo[of]?.()) ?? '';
  const filled = { pin: '1234', testCard: 'approved', oneTimeCode: '123456', channel: 'qr-wallet', name: 'Ann Payer' };
  const { text } = await request(session.baseUrl).get(path.replace(session.baseUrl, ''));
  expect(text).toContain(`name="action" value="${action}"`);
  await submit(session, path, { ...filled, action });
}

async function checkoutOf(session: SandboxClient): Promise<string> {
  return `/pay/checkout?paymentCode=${(await payOn(session, 'card-network-a'))['paymentId']}`;
}

describe.each(['outcomes', 'faults', 'notifications', 'pages'] as const)('%s', (name) => {
  it('can all be reached, each by the line that its cell suggests', async () => {
    const cellsOfClass = async () => (await sandbox.client.coverage()).cells.filter((cell) => cell.class === name);
    const cells = await cellsOfClass();
    await Promise.all(
      cells.map(async (cell, index) => TRIES[name](cell, await sandbox.client.createSession(`${name}-${index}`))),
    );
    const unseenCells = (await cellsOfClass()).filter(({ degree }) => degree !== 'seen');
    expect(unseenCells.map(({ of, what, degree }) => `${of}: ${what} ${degree}`)).toEqual([]);
  });
});
