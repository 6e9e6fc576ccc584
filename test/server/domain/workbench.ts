import { Refusal } from '../../../src/base/refusal.ts';
import type { Merchant, Payment, SessionState } from '../../../src/base/schema/generated/records.ts';
import { SeededIds } from '../../../src/base/seeded-ids.ts';
import { type Fixtures, loadFixtures } from '../../../src/server/config/fixtures.ts';
import { initiatePayment, type PaymentOrder } from '../../../src/server/domain/payments/initiate-payment.ts';
import type { SessionEvent } from '../../../src/server/sessions/event-log.ts';
import { Generation } from '../../../src/server/sessions/generation.ts';
import { addressesOf } from '../../../src/server/sessions/session-addresses.ts';
import { Transaction } from '../../../src/server/sessions/transaction.ts';
import { openStore } from '../../../src/server/store/file/embedded-store.ts';
import type { SessionSnapshot, Store } from '../../../src/server/store/store.ts';
import { state } from '../store/samples.ts';
import { snapshotOf } from './snapshot.ts';

const SESSION = 'workbench';
/** The members of a link that a merchant sends. */
export const LINK = {
  id: '',
  environment: 'sandbox',
  name: 'Market stall',
  description: '',
  reference: 'LINK-1',
  amount: 2500,
  type: 'ONCE_OFF_FIXED',
  profileId: '1',
  startDate: '2026-01-01',
  endDate: '2030-12-31',
  currency: 'USD',
  currencyId: '1',
  otherCurrencies: false,
  successUrl: '',
  failureUrl: '',
  email: '',
  payer: { fullNames: '', emailAddress: '', address: '', mobile: '' },
  imageAction: 'NONE',
  image: null,
} as const;

/** The domain without a session: transactions on a store in memory, at a time that the test sets. */
export class Workbench {
  readonly events: SessionEvent[] = [];
  now = Date.parse('2026-03-01T10:00:00.000Z');
  fixtures: Fixtures;
  readonly #store: Store;
  readonly #ids = new SeededIds('workbench', 0);
  readonly #epoch = {};
  #state: SessionState = state();

  constructor(fixtures: Fixtures, store: Store) {
    this.fixtures = fixtures;
    this.#store = store;
  }

  static async open(): Promise<Workbench> {
    return new Workbench(
      await loadFixtures(),
      await openStore({ file: ':memory:', syncToDisk: false, onWarning: () => undefined }),
    );
  }

  /** Runs a transaction and commits it, unless it throws. */
  async transact<Result>(work: (transaction: Transaction) => Promise<Result> | Result): Promise<Result> {
    const parts = {
      sessionName: SESSION,
      store: this.#store,
      fixtures: this.fixtures,
      addresses: () => addressesOf('http://127.0.0.1:4100', SESSION),
      generation: new Generation(SESSION, this.#state.generation),
      epoch: this.#epoch,
      state: this.#state,
      now: this.now,
    };
    const transaction = new Transaction(parts, this.#ids, null);
    const result = await work(transaction);
    this.#state = { ...this.#state, counters: transaction.counters ?? this.#state.counters };
    await this.#store.commit({ session: SESSION, state: this.#state, changes: transaction.changes });
    this.events.push(...transaction.events);
    return result;
  }

  snapshot(): Promise<SessionSnapshot> {
    return this.transact((transaction) => snapshotOf(transaction, this.#state));
  }

  get moves(): number {
    return this.#state.counters['move'] ?? 0;
  }

  merchant(id = 'M-1000'): Merchant {
    return requireDefined(this.fixtures.merchant(id));
  }

  /** A payment on the QR wallet, waiting for its payer. */
  pay(members: Partial<PaymentOrder> = {}): Promise<Payment> {
    return this.transact((transaction) =>
      initiatePayment(transaction, {
        environment: 'sandbox',
        merchant: this.merchant(),
        origin: 'merchant',
        originId: null,
        channel: requireDefined(this.fixtures.channel('qr-wallet')),
        walletName: 'WALLET_QR',
        amount: 1000,
        currency: 'USD',
        description: '',
        payerName: '',
        payerReference: 'ORDER-1',
        payerAccountId: null,
        profileId: 1,
        payerMobile: null,
        split: [],
        outcomePlan: {},
        ...members,
      }),
    );
  }
}

export function requireDefined<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new Error('the test needs a value that is not there');
  }
  return value;
}

/** The refusal with which a promise rejects. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const outcome = await work.then(
    (value) => new Error(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof Refusal) {
    return outcome;
  }
  throw outcome;
}
