import type { Delivery, Image, Payment, Payout, SessionState } from '../../../src/base/schema/generated/records.ts';
import type { CollectionName, RecordChange, Records } from '../../../src/server/store/store.ts';

/** The state of a new session. */
export function state(facts: Partial<SessionState> = {}): SessionState {
  return {
    seed: 'a seed',
    scenario: 'payer-decides',
    clock: { mode: 'frozen', now: 1_700_000_000_000 },
    generation: 1,
    rngPosition: 0,
    counters: {},
    start: { scenario: 'payer-decides', clock: { mode: 'real', offset: 0 } },
    ...facts,
  };
}

/** A minimal payment. */
export function payment(id: string, facts: Partial<Payment> = {}): Payment {
  return {
    id,
    createdAt: 1_700_000_000_000,
    environment: 'sandbox',
    merchantId: 'M-1000',
    origin: 'merchant',
    originId: null,
    channel: 'mobile-money',
    walletName: 'WALLET_MOBILE',
    amount: 1000,
    fees: { markUp: 0, serviceProvider: 0, gateway: 0 },
    currency: 'USD',
    description: 'two shirts',
    payerName: 'Payer Example',
    payerReference: `reference of ${id}`,
    payerAccountId: 1,
    profileId: 1,
    payerMobile: null,
    shares: [],
    paymentId: null,
    paymentCode: null,
    paymentToken: null,
    state: 'Processing',
    expiresAt: null,
    failedTries: 0,
    plannedOutcome: null,
    dueAt: null,
    webhookBehaviour: { mode: 'normal' },
    history: [],
    respond: null,
    ...facts,
  };
}

/** A notification that is due at an instant. */
export function delivery(id: string, dueAt: number, facts: Partial<Delivery> = {}): Delivery {
  return {
    id,
    webhookId: `msg_of_${id}`,
    createdAt: 0,
    endpointId: null,
    url: 'http://127.0.0.1:9/hook',
    secret: null,
    type: 'payment.paid',
    subjectId: 'payment-1',
    merchantId: null,
    body: '{}',
    webhookBehaviour: { mode: 'normal' },
    isTest: false,
    replays: 0,
    state: 'pending',
    attempts: [],
    dueAt,
    ...facts,
  };
}

/** A payout without credits. */
export function payout(id: string, payerReference: string): Payout {
  return {
    id,
    createdAt: 0,
    environment: 'sandbox',
    merchantId: 'M-1000',
    total: 0,
    currency: 'USD',
    description: 'wages',
    debit: { bankName: '', bankBICCode: '', accountNumber: '', accountName: '' },
    payerName: '',
    payerReference,
    payerBankReference: '',
    credits: [],
    fees: { markUp: 0, serviceProvider: 0, gateway: 0 },
    state: 'Processing',
    dueAt: null,
    webhookBehaviour: { mode: 'normal' },
    history: [],
  };
}

export function image(id: string, base64: string): Image {
  return { id, mediaType: 'image/png', base64 };
}

export function put<C extends CollectionName>(collection: C, record: Records[C]): RecordChange {
  return { collection, id: record.id, record };
}

export function remove(collection: CollectionName, id: string): RecordChange {
  return { collection, id, record: null };
}
