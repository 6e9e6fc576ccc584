import * as fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import type { Commit, CountedRecords, Store } from '../../../../src/server/store/store.ts';
import { payment, put, remove, state } from '../samples.ts';

/** A minimal model of a store: each session's payments in order of creation. */
export type Model = Map<string, Payment[]>;

/** A commit, the name of a session to drop, or `open again`. */
export type Step = Commit | string;

export function anyStep(): fc.Arbitrary<Step> {
  const session = fc.constantFrom('shop', 'kiosk');
  const id = fc.constantFrom('payment-1', 'payment-2', 'payment-3', 'payment-4');
  const value = fc.option(fc.constantFrom('one', 'two'), { nil: null });
  const paymentState = fc.constantFrom('Processing' as const, 'Paid' as const);
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ id, value, paymentState })
        .map((facts) => put('payments', payment(facts.id, { paymentCode: facts.value, state: facts.paymentState }))),
    },
    { weight: 1, arbitrary: id.map((each) => remove('payments', each)) },
  );
  const commit = fc.record({
    session,
    state: fc.nat(9).map((rngPosition) => state({ rngPosition })),
    wipe: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
    changes: fc.array(change, { maxLength: 4 }),
  });
  return fc.oneof(
    { weight: 20, arbitrary: commit },
    { weight: 1, arbitrary: session },
    { weight: 2, arbitrary: fc.constant('open again') },
  );
}

export function applyTo(model: Model, { session, wipe, changes }: Commit): void {
  let records = wipe ? [] : [...(model.get(session) ?? [])];
  for (const { id, record } of changes) {
    const exists = records.some((each) => each.id === id);
    if (record === null) {
      records = records.filter((each) => each.id !== id);
    } else if (exists) {
      records = records.map((each) => (each.id === id ? (record as Payment) : each));
    } else {
      records.push(record as Payment);
    }
  }
  model.set(session, records);
}

/** Expects the store to return the same records as the model. */
export async function expectSame(store: Store, model: Model): Promise<void> {
  expect((await store.sessions()).map(({ name }) => name).sort()).toEqual([...model.keys()].sort());
  expect(await store.counts('payments')).toEqual(countsOf([...model.values()].flat()));
  for (const [session, expected] of model) {
    const oldest = await store.list(session, 'payments', { limit: 99 });
    expect(oldest.items).toEqual(expected);
    const newest = await store.list(session, 'payments', { limit: 99, newestFirst: true });
    expect(newest.items).toEqual(expected.toReversed());
    for (const code of ['one', 'two']) {
      const payments = store.find(session, 'payments', 'paymentCode', code);
      expect(payments).toEqual(expected.filter(({ paymentCode }) => paymentCode === code));
    }
  }
}

/** The counts of payments, all of which are on the same channel. */
function countsOf(payments: readonly Payment[]): CountedRecords[] {
  return ['Paid', 'Processing']
    .map((paymentState) => ({
      values: { channel: 'mobile-money', state: paymentState },
      records: payments.filter((each) => each.state === paymentState).length,
    }))
    .filter(({ records }) => records > 0);
}
