import type { Delivery } from '../../../../src/base/schema/generated/records.ts';
import {
  findingsInRecords,
  recordChangedPayments,
} from '../../../../src/server/findings/integration/findings-in-records.ts';
import { IntegrationFindings } from '../../../../src/server/findings/integration/integration-findings.ts';
import { sessionOn, sessionWith } from '../../sessions/session-under-test.ts';
import { delivery, payment } from '../../store/samples.ts';

async function findingsAfter(ms: number, facts: Partial<Delivery> = {}) {
  const { session } = await sessionWith();
  const attempt = { at: 0, headers: {}, status: 200, ms, error: null, response: '' };
  await session.transact(async (transaction) => {
    await transaction.put('payments', payment('payment-1'));
    await transaction.put('deliveries', { ...delivery('delivery-1', 0), dueAt: null, attempts: [attempt], ...facts });
  });
  return findingsInRecords(session.reader, new IntegrationFindings(), { isFrozen: true });
}

describe('a receiver', () => {
  it('gets the finding slow-receiver if it answers after two seconds or more', async () => {
    expect(await findingsAfter(1999)).toEqual([]);
    expect(await findingsAfter(2000)).toMatchObject([{ kind: 'slow-receiver', count: 1, records: ['delivery-1'] }]);
  });

  it('is not judged by samples of the webhook tester', async () => {
    expect(await findingsAfter(5000, { isTest: true })).toEqual([]);
  });

  it.each<[string, Partial<Delivery>]>([
    ['a wrong signature', { forgery: 'wrong-signature' }],
    ['no signature', { forgery: 'unsigned' }],
    ['an old timestamp', { forgery: 'old-timestamp' }],
    ['a body that was changed in transit', { webhookBehaviour: { mode: 'tampered' } }],
  ])('gets a finding for acknowledging %s', async (_title, facts) => {
    expect(await findingsAfter(5, facts)).toMatchObject([{ kind: 'forgery-acknowledged', records: ['delivery-1'] }]);
  });

  it.each<[string, Partial<Delivery>]>([
    ['a wrong amount', { forgery: 'wrong-amount' }],
    ['another currency', { forgery: 'wrong-currency' }],
    ['an unknown reference', { forgery: 'unknown-reference' }],
  ])('may acknowledge %s if it is signed', async (_title, facts) => {
    expect(await findingsAfter(5, facts)).toEqual([]);
  });
});

it('an outcome gets no finding if its notification is older than the deliveries that are examined', async () => {
  const { session } = await sessionOn({ mode: 'frozen', now: 5000 });
  const attempt = { headers: {}, status: 204, ms: 1, error: null, response: '' };
  const paidPayment = (id: string, at: number) => {
    const step = { at, from: 'Processing' as const, to: 'Paid' as const, cause: 'payer' as const };
    return { ...payment(id), state: 'Paid' as const, history: [{ ...step, code: null, description: null }] };
  };
  const acknowledgedDelivery = (number: number, subjectId: string, at: number) => {
    const facts = { subjectId, createdAt: at, dueAt: null, state: 'delivered' as const };
    return { ...delivery(`delivery-${number}`, at), ...facts, attempts: [{ ...attempt, at }] };
  };
  recordChangedPayments(session.reader, [{ collection: 'payments', id: 'payment-1', record: payment('payment-1') }]);
  recordChangedPayments(session.reader, [{ collection: 'payments', id: 'payment-2', record: payment('payment-2') }]);
  await session.transact(async (transaction) => {
    await transaction.put('payments', paidPayment('payment-1', 1000));
    await transaction.put('deliveries', acknowledgedDelivery(1, 'payment-1', 1000));
    for (let number = 2; number <= 101; number += 1) {
      await transaction.put('deliveries', acknowledgedDelivery(number, 'payout-1', 2000));
    }
    await transaction.put('payments', paidPayment('payment-2', 3000));
  });
  expect(await findingsInRecords(session.reader, new IntegrationFindings(), { isFrozen: true })).toMatchObject([
    { kind: 'outcome-never-learned', records: ['payment-2'] },
  ]);
});
