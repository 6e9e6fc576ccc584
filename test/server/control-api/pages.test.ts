import fc from 'fast-check';
import { INTEGRATION_KINDS } from '../../../src/base/finding-kinds.ts';
import { namesIn } from '../../../src/base/members.ts';
import type { SessionState } from '../../../src/base/schema/generated/records.ts';
import { schemaMembers } from '../../../src/base/schema/references.ts';
import { CONTROL_OPERATIONS } from '../../../src/server/control-api/operations.ts';
import { issueAccessToken } from '../../../src/server/domain/merchants/access-tokens.ts';
import { integrationFindingsOf } from '../../../src/server/findings/integration/integration-findings.ts';
import { localJob } from '../../../src/server/sessions/job.ts';
import { RequestLog } from '../../../src/server/sessions/request-log.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { Sessions } from '../../../src/server/sessions/sessions.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import type { AnyRecord, CollectionName, DueCollection } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { post, saveLink, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { startSandbox } from '../../sandbox.ts';
import { loggedCall } from '../sessions/logged-call.ts';
import { partsWith } from '../sessions/session-under-test.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const COPIES = 9;
const DUE_COLLECTIONS: readonly DueCollection[] = [
  'payments',
  'payouts',
  'settlements',
  'recurringPayments',
  'deliveries',
];

type SavedRecords = Partial<Record<CollectionName, AnyRecord[]>>;
type Item = Record<string, unknown>;
interface Page {
  items: Item[];
  nextCursor: string | null;
}

interface ListSetup {
  sessions: Sessions;
  session: Session;
  memory: SharedMemory;
}

/** Removes the given items or, from a log, which loses only its oldest items, about as many of those. */
type Removal = (setup: ListSetup, items: readonly Item[]) => Promise<void>;

const removeRecords =
  (collection: CollectionName, member = 'id'): Removal =>
  async ({ session }, items) => {
    await session.transact(async (transaction) => {
      for (const item of items) {
        transaction.remove(collection, String(item[member]));
      }
    });
  };

/** The removal for each list, by the name of its row. */
const REMOVALS: Readonly<Record<string, Removal>> = {
  listSessions: async ({ sessions }, items) => {
    for (const { name } of items) {
      await sessions.delete(String(name));
    }
  },
  listScenarios: removeRecords('scenarios', 'name'),
  // Findings do not disappear.
  listFindings: async () => undefined,
  // Channels and behaviours are fixtures.
  listChannels: async () => undefined,
  listBehaviours: async () => undefined,
  listMerchants: removeRecords('merchants'),
  listPayments: removeRecords('payments'),
  listPayouts: removeRecords('payouts'),
  listSettlements: removeRecords('settlements'),
  listReports: removeRecords('settlements'),
  listLinks: removeRecords('links'),
  listRecurringPayments: removeRecords('recurringPayments'),
  listPaymentTokens: removeRecords('paymentTokens'),
  listShopCodes: removeRecords('shopCodes'),
  listDeliveries: removeRecords('deliveries'),
  listJobs: async ({ session }, items) => {
    await session.transact(async (transaction) => {
      for (const { collection, recordId } of items) {
        transaction.remove(collection as CollectionName, String(recordId));
      }
    });
  },
  // Entries are computed from payments.
  listEntries: async (setup, items) => {
    await removeRecords('payments')(
      setup,
      items.map(({ recordId }) => ({ id: recordId })),
    );
  },
  // An account exists if it has entries.
  listAccounts: async ({ session }, items) => {
    await session.transact(async (transaction) => {
      for (const { id, merchantId } of await transaction.all('payments')) {
        if (items.some(({ account }) => String(account).includes(merchantId))) {
          transaction.remove('payments', id);
        }
      }
    });
  },
  // A merchant has balances if it has settlements.
  listBalances: removeSettlements,
  listBalanceDays: removeSettlements,
  // Calls of another session displace the oldest ones.
  listRequests: async ({ memory }, items) => {
    const other = new RequestLog(memory);
    for (const _ of items) {
      other.add(loggedCall({ id: 'request-1' }));
    }
  },
  // Newer events displace the oldest ones.
  listEvents: async ({ session }, items) => {
    const last = session.events.since(0).at(-1)?.id ?? 0;
    session.events.publish(items.flatMap((_, place) => eventsAfter(last + place * 300, 300)));
  },
};

async function removeSettlements({ session }: ListSetup, items: readonly Item[]): Promise<void> {
  await session.transact(async (transaction) => {
    for (const { id, merchantId } of await transaction.all('settlements')) {
      if (items.some((item) => item['merchantId'] === merchantId)) {
        transaction.remove('settlements', id);
      }
    }
  });
}

const LISTS = CONTROL_OPERATIONS.filter(({ method, response }) => method === 'GET' && response?.isList);

let saved: SavedRecords;

/** A session with records for every list. */
beforeAll(async () => {
  const sandbox = await startSandbox({ now: NOW });
  const session = sandbox.session('saved');
  const base = sandbox.sessionUrl('saved');
  const token = await tokenOf(base);
  await session.setEndpoints([{ url: 'http://127.0.0.1:1/' }]);
  await post('/init/authenticate/merchant/wallet', single(), base);
  await post('/init/authenticate/merchant/wallet', single({ merchantId: 'stranger-1' }), base);
  for (const [path, schema] of [
    ['/init/authenticate/merchant/bulkPayment', 'requests/bulk-payout'],
    ['/api/addRecurringPayment', 'requests/recurring-payment'],
    ['/api/requestPaymentTokenAndPay', 'requests/payment-token-with-payment'],
  ] as const) {
    await post(path, exampleOf(schema, MERCHANT), base, token);
  }
  const { body } = await post('/api/requestPaymentToken', exampleOf('requests/payment-token', {}), base, token);
  const recurring = exampleOf('requests/recurring-payment', { recurringPaymentToken: body.paymentToken });
  await post('/api/addRecurringPayment', recurring, base, token);
  await saveLink(base, token, '/api/merchant/fastCheckOut');
  await session.call('POST', '/shop-codes', {
    merchantId: 'M-1000',
    amount: '1.00',
    currency: 'USD',
    reference: 'TILL',
  });
  await session.defineScenario({ name: 'mine-1', description: '', rules: [] });
  await session.settle('payment-1', 'Paid');
  await session.call('POST', '/settlements/close', {});
  const { state: _, ...records } = await session.state();
  saved = records as SavedRecords;
  await sandbox.close();
});

/** Copies of a record, each with a unique id. If the record is due, each pair of copies is due at the same time. */
function copiesOf(record: AnyRecord): AnyRecord[] {
  return Array.from({ length: COPIES }, (_, index) => {
    const id = `${record.id.replace(/\d+$/, '')}${index + 1}`;
    return JSON.parse(JSON.stringify({ ...record, id }), (name, value) => {
      switch (name) {
        case 'dueAt':
          return NOW + 1000 * Math.floor(index / 2);
        case 'scenario':
          return { ...value, name: id };
        // The number of a move is unique; here only payments have one.
        case 'move':
          return 'walletName' in record ? index + 1 : undefined;
        case 'merchantId':
          // A merchant sees only its own reports, and each merchant has separate balances.
          return index % 2 === 0 ? 'M-1000' : `M-${1001 + (((index - 1) / 2) % 4)}`;
        default:
          return value;
      }
    });
  });
}

const eventsAfter = (after: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: after + index + 1,
    at: NOW,
    type: 'payment.paid' as const,
    collection: 'payments' as const,
    subjectId: 'payment-1',
    requestId: null,
    data: {},
  }));

async function createSetup(): Promise<ListSetup> {
  const memory = new SharedMemory(loggedCall({ id: 'request-1' }).bytes * 2 * COPIES);
  const jobs = DUE_COLLECTIONS.map((collection) =>
    localJob({ kind: collection, collection, run: async () => undefined, fail: () => undefined }),
  );
  const parts = { ...(await partsWith(...jobs)), requestLogMemory: memory };
  const sessions = new Sessions(parts, { seed: 'a', scenario: 'payer-decides', now: NOW, maxSessions: 1000 });
  for (let number = 1; number < COPIES; number += 1) {
    await sessions.create(`session-${number}`, {});
  }
  const session = await sessions.create('default', {});
  const lists = Object.entries(saved).map(([collection, records]) => [
    collection,
    records.slice(0, 1).flatMap((record) => copiesOf(collection === 'payments' ? paidIn(saved) : record)),
  ]);
  const state: SessionState = { ...session.state, counters: { move: COPIES } };
  await session.restore({ state, ...Object.fromEntries(lists) });
  for (let number = 1; number <= COPIES; number += 1) {
    // Calls do not end in the order in which they began.
    session.requests.add(
      loggedCall({
        id: `request-${number % 2 === 0 ? number - 1 : number + 1}`,
        at: NOW,
        events: [],
        records: [],
        findings: [],
      }),
    );
  }
  // These kinds are not found in records, so none of them is listed twice.
  for (const kind of namesIn(INTEGRATION_KINDS).slice(0, 10)) {
    integrationFindingsOf(session.generation).record({ kind, path: '$', expected: 'one', received: 'none', calls: [] });
  }
  session.events.publish(eventsAfter(1, 2 * COPIES));
  return { sessions, session, memory };
}

function paidIn({ payments = [] }: SavedRecords): AnyRecord {
  const paidPayment = payments.find((payment) => 'state' in payment && payment.state === 'Paid');
  if (paidPayment === undefined) {
    throw new Error('no payment was paid');
  }
  return paidPayment;
}

async function getPage({ sessions, session }: ListSetup, name: string, query: object): Promise<Page> {
  const operation = LISTS.find((each) => each.name === name);
  const call = {
    parts: { sessions, baseOf: () => 'http://127.0.0.1:4100', ignored: new Set() },
    sessionName: 'default',
    parameters: {},
    query,
    body: undefined,
    authorization: `Bearer ${await tokenFor(session)}`,
    lastEventId: undefined,
    signal: new AbortController().signal,
    openSession: () => session,
  };
  return (await operation?.handle(call as unknown as Parameters<typeof operation.handle>[0])) as Page;
}

async function tokenFor(session: Session): Promise<string> {
  const merchant = session.fixtures.merchant('M-1000');
  return merchant === undefined ? '' : issueAccessToken(session.reader, merchant);
}

const keyOf = ({ id, name, move, environment, currency, account, merchantId, businessDate }: Item): string =>
  String(id ?? name ?? move ?? `${environment} ${currency} ${account ?? merchantId} ${businessDate}`);

it('the table of removals has an entry for each list', () => {
  expect(Object.keys(REMOVALS).toSorted()).toEqual(LISTS.map(({ name }) => name).toSorted());
});

describe.each(Object.keys(REMOVALS))('the list %s, while items disappear between its pages,', (name) => {
  const anySteps = fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 4 }), removed: fc.array(fc.nat(), { maxLength: 4 }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );

  it('shows each remaining item once, and accepts every cursor that it returned', async () => {
    const isOrdered = Object.hasOwn(schemaMembers(String(LISTS.find((each) => each.name === name)?.query)), 'order');
    await fc.assert(
      fc.asyncProperty(anySteps, fc.constantFrom('newest', 'oldest'), async (steps, order) => {
        const setup = await createSetup();
        const remove = REMOVALS[name] as Removal;
        const all = (await getPage(setup, name, { limit: 1000 })).items;
        expect(all.length).toBeGreaterThan(3);
        const keys: string[] = [];
        let cursor: string | null = null;
        for (let step = 0; step === 0 || cursor !== null; step += 1) {
          const { limit, removed } = steps[step] ?? { limit: 1000, removed: [] };
          const page: Page = await getPage(setup, name, {
            limit,
            ...(isOrdered ? { order } : {}),
            ...(cursor === null ? {} : { cursor }),
          });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          keys.push(...page.items.map(keyOf));
          cursor = page.nextCursor;
          const remaining = (await getPage(setup, name, { limit: 1000 })).items.filter(isRemovable);
          await remove(
            setup,
            remaining.filter((_, place) => removed.some((each) => each % remaining.length === place)),
          );
        }
        expect(keys).toHaveLength(new Set(keys).size);
        const remainingKeys = new Set((await getPage(setup, name, { limit: 1000 })).items.map(keyOf));
        expect(keys).toEqual(expect.arrayContaining(all.map(keyOf).filter((key) => remainingKeys.has(key))));
      }),
      { numRuns: cases(15) },
    );
  });
});

/** Fixtures, and the session whose lists are read, cannot be removed. */
function isRemovable({ name, id }: Item): boolean {
  return name === undefined ? !/^M-/.test(String(id)) : /\d$/.test(String(name));
}
