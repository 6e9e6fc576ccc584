import { join } from 'node:path';
import fc from 'fast-check';
import { cases } from '../../../cases.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { pay } from '../../payer-pages/visits.ts';

const newFolder = temporaryFolders();

/** Batches of payments, each in a session, with or without a reset before it. */
const anyBatches = fc.array(
  fc.record({
    session: fc.constantFrom('one', 'other', 'default'),
    isReset: fc.boolean(),
    payments: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);
type PaymentBatch = typeof anyBatches extends fc.Arbitrary<(infer One)[]> ? One : never;

interface Ids {
  webhookIds: string[];
  paymentIds: string[];
}

/** Payments are paid at once, and their notifications are sent to an address where nothing listens. */
const SETTINGS = {
  scenario: 'auto-approve',
  now: Date.parse('2026-03-01T10:00:00Z'),
  webhookUrl: 'http://127.0.0.1:9/',
};

async function play(sandbox: Sandbox, all: readonly PaymentBatch[]): Promise<Ids[]> {
  const ids: Ids[] = [];
  for (const { session: name, isReset, payments } of all) {
    const session = sandbox.session(name);
    if (isReset) {
      await session.reset();
    }
    for (let number = 1; number <= payments; number += 1) {
      await pay(session, { walletName: 'WALLET_CARD_A', payerReference: `ORDER-${number}` });
    }
    await session.advance('PT1M');
    ids.push({
      webhookIds: (await session.deliveries({ order: 'oldest' })).items.map(({ webhookId }) => webhookId),
      paymentIds: (await session.payments({ order: 'oldest' })).items.map(({ paymentId }) => String(paymentId)),
    });
  }
  return ids;
}

const paymentsIn = (all: readonly PaymentBatch[]) => all.reduce((sum, { payments }) => sum + payments, 0);

async function playIn(settings: object, all: readonly PaymentBatch[]): Promise<Ids[]> {
  const sandbox = await startSandbox({ ...SETTINGS, ...settings });
  try {
    return await play(sandbox, all);
  } finally {
    await sandbox.close();
  }
}

it('a webhook id is unique across all sessions and resets, and the same in each run', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, async (all) => {
      const seenIds = await playIn({}, all);
      const ids = seenIds.flatMap(({ webhookIds }) => webhookIds);
      expect(new Set(ids).size).toBe(paymentsIn(all));
      expect(ids.filter((id) => !/^msg_\w{24}$/.test(id))).toEqual([]);
      expect(await playIn({}, all)).toEqual(seenIds);
      expect((await playIn({ seed: 'other' }, all)).flatMap(({ webhookIds }) => webhookIds)).not.toEqual(ids);
    }),
    { numRuns: cases(3) },
  );
});

it('the ids after a restart are the same as without the restart', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyBatches,
      anyBatches,
      fc.constantFrom('repeat' as const, 'differ' as const),
      async (before, after, ids) => {
        const expected = await playIn({ ids }, [...before, ...after]);
        const data = join(newFolder(), 'state.json');
        const firstIds = await playIn({ ids, data }, before);
        expect([...firstIds, ...(await playIn({ ids, data }, after))]).toEqual(expected);
      },
    ),
    { numRuns: cases(3) },
  );
});

it('the ids of payments repeat in each session, or differ on request', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, async (all) => {
      const idsOf = async (ids: 'repeat' | 'differ') =>
        (await playIn({ ids }, all)).map(({ paymentIds }) => paymentIds);
      const repeated = await idsOf('repeat');
      const longest = repeated.reduce((one, other) => (one.length > other.length ? one : other));
      expect(repeated).toEqual(repeated.map(({ length }) => longest.slice(0, length)));
      expect(new Set((await idsOf('differ')).flat()).size).toBe(paymentsIn(all));
    }),
    { numRuns: cases(3) },
  );
});

it('a webhook id is the same for a duplicate and a replay of a notification', async () => {
  const sandbox = await startSandbox({ ...SETTINGS, scenario: 'duplicate-webhooks' });
  const session = sandbox.session('one');
  await pay(session);
  await session.settle('payment-1', 'Paid');
  const before = (await session.deliveries()).items.map(({ webhookId }) => webhookId);
  await session.resend('delivery-1');
  const after = (await session.deliveries()).items.map(({ webhookId }) => webhookId);
  await sandbox.close();
  expect([before.length, new Set(before).size]).toEqual([2, 1]);
  expect(after).toEqual(before);
});
