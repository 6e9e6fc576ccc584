import assert from 'node:assert/strict';
import type { Delivery, Payment } from '../../src/base/schema/generated/records.ts';
import { runSteps } from '../../src/base/steps.ts';
import { checkBooks } from '../../src/server/domain/books/ledger/check-books.ts';
import { remainderOf } from '../../src/server/domain/payments/adjustments.ts';
import { wasPaid } from '../../src/server/domain/payments/payment.ts';
import { checkConsistency } from '../../src/server/domain/restored-state/check-state.ts';
import type { Session } from '../../src/server/sessions/session.ts';
import { type CollectionName, dueAtOf } from '../../src/server/store/store.ts';
import { snapshotOf } from '../server/domain/snapshot.ts';
import type { World } from './world.ts';

/** The answers of the sandbox, which must stay true until a reset, restore or deletion. */
export interface Model {
  /** The last answered state of each payment. */
  payments: Map<string, Payment['state']>;
  endpoints: number;
  /** The minimum number of attempts that each replayed delivery must have at the end of the history. */
  attempts: Map<string, number>;
  /** A fetched state, and the answered states of payments at that moment. */
  saved: { state: object; payments: Map<string, Payment['state']> } | undefined;
  /** Moves of the clock that have not ended. */
  moves: Promise<unknown>[];
  trace: string[];
}

export function newModel(): Model {
  return { payments: new Map(), endpoints: 0, attempts: new Map(), saved: undefined, moves: [], trace: [] };
}

/** Checks the invariants of an idle session. Uses `assert`, because Jest's `expect` would take half of the time of all histories. */
export async function checkWorld(world: World, model: Model): Promise<void> {
  const { session } = world;
  assert.deepEqual(world.errors, []);
  const payments = await session.reader.all('payments');
  const deliveries = await session.reader.all('deliveries');
  checkAnswered(payments, model);
  for (const payment of payments) {
    checkPayment(payment, deliveries, model);
  }
  await checkLinks(session, payments);
  checkCharges(payments);
  checkDeliveries(deliveries, world);
  await checkJobs(session);
}

function checkAnswered(payments: readonly Payment[], model: Model): void {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  for (const [id, answered] of model.payments) {
    const payment = byId.get(id);
    if (!payment?.history.some(({ to }) => to === answered)) {
      throw new Error(`${id} was answered as ${answered} and is ${payment?.state}`);
    }
  }
}

function checkPayment(payment: Payment, deliveries: readonly Delivery[], { endpoints }: Model): void {
  const { id, state, history, amount, shares, adjustments = [] } = payment;
  const laterChanges = adjustments.length + history.filter(isLateSuccess).length;
  const decisions = history.filter(({ from }) => from === 'Processing');
  assert.deepEqual([id, decisions.length], [id, state === 'Processing' ? 0 : 1]);
  assert.ok(shares.length === 0 || shares.reduce((sum, share) => sum + share.amount, 0) === amount);
  const ofSubject = deliveries.filter(({ subjectId }) => subjectId === id);
  const notifiedEndpoints = new Set(ofSubject.map(({ endpointId }) => endpointId)).size;
  const expected = state === 'Processing' ? 0 : endpoints;
  assert.deepEqual(
    [id, state, notifiedEndpoints, ofSubject.length],
    [id, state, expected, expected * (1 + laterChanges)],
  );
  const { left, chargedBack } = remainderOf(payment);
  assert.ok(left.amount >= 0 && chargedBack.amount >= 0 && left.amount + chargedBack.amount <= amount);
  assert.deepEqual([id, history.length], [id, (state === 'Processing' ? 1 : 2) + laterChanges]);
}

function isLateSuccess({ from, to }: Payment['history'][number]): boolean {
  return to === 'Paid' && (from === 'Failed' || from === 'Expired');
}

async function checkLinks(session: Session, payments: readonly Payment[]): Promise<void> {
  for (const link of await session.reader.all('links')) {
    const ofLink = payments.filter(({ origin, originId }) => origin === 'link' && originId === link.id);
    const paying = ofLink.filter((payment) => wasPaid(payment) && payment.state !== 'Failed');
    const onTime = paying.filter(({ history }) => !history.some(isLateSuccess));
    assert.deepEqual([link.id, onTime.length > 1], [link.id, false]);
    assert.deepEqual([link.id, link.paid], [link.id, paying.length > 0]);
    if (link.paid) {
      assert.deepEqual(
        ofLink.filter(({ state }) => state === 'Processing'),
        [],
      );
    }
  }
}

/** Each interval is charged once. */
function checkCharges(payments: readonly Payment[]): void {
  const charges = payments
    .filter(({ origin }) => origin === 'recurring')
    .map(({ originId, createdAt }) => `${originId} ${createdAt}`);
  assert.equal(new Set(charges).size, charges.length);
}

function checkDeliveries(deliveries: readonly Delivery[], { arrivals, epoch }: World): void {
  assert.deepEqual(
    [...arrivals].filter(([, count]) => count > 1),
    [],
  );
  for (const { id, state, attempts, dueAt } of deliveries) {
    assert.deepEqual([id, attempts.filter(({ response }) => response !== `epoch ${epoch}`)], [id, []]);
    assert.deepEqual([id, state === 'pending'], [id, dueAt !== null]);
    if (state === 'delivered') {
      assert.equal(attempts.at(-1)?.status, 200);
    }
  }
}

/** Checks that the books balance and agree with the records, and that a fetched state can be restored. */
export async function checkLedger({ session }: World): Promise<void> {
  const { differences } = await session.transact((transaction) =>
    checkBooks(transaction, session.state.counters['move'] ?? 0),
  );
  assert.deepEqual(differences, []);
  const snapshot = await session.transact((transaction) => snapshotOf(transaction, session.state));
  assert.deepEqual(await checkConsistency(snapshot, session.fixtures), []);
}

/** Checks at the end of a history, when no job is due, that every replay has been attempted. */
export function checkReplays(deliveries: readonly Delivery[], { attempts: expectedAttempts }: Model): void {
  const attemptCounts = new Map(deliveries.map(({ id, attempts }) => [id, attempts.length]));
  const missing = [...expectedAttempts].filter(([id, least]) => (attemptCounts.get(id) ?? 0) < least);
  assert.deepEqual(missing, []);
}

/** Checks that each due record has one job that is queued or running, and that there is no other job. */
async function checkJobs(session: Session): Promise<void> {
  const dueJobs = runSteps(session.scheduler.inspect()).map(({ collection, recordId }) => `${collection} ${recordId}`);
  assert.equal(new Set(dueJobs).size, dueJobs.length);
  const due: string[] = [];
  for (const collection of session.scheduler.collections) {
    for (const record of await session.reader.all<CollectionName>(collection)) {
      if (dueAtOf(record) !== null) {
        due.push(`${collection} ${record.id}`);
      }
    }
  }
  assert.deepEqual(due.sort(), dueJobs.sort());
}
