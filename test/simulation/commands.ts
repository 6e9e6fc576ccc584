import fc from 'fast-check';
import { Refusal } from '../../src/base/refusal.ts';
import type { Payment, WebhookBehaviour } from '../../src/base/schema/generated/records.ts';
import { runSteps } from '../../src/base/steps.ts';
import { closeAll, returnSettlement } from '../../src/server/domain/books/settlements/settlements.ts';
import { saveLink } from '../../src/server/domain/payment-links/payment-links.ts';
import { requestPaymentToken } from '../../src/server/domain/payment-tokens/payment-tokens.ts';
import { addAdjustment } from '../../src/server/domain/payments/add-adjustment.ts';
import { initiatePayment } from '../../src/server/domain/payments/initiate-payment.ts';
import { decidePayment } from '../../src/server/domain/payments/payment.ts';
import { initiatePayout } from '../../src/server/domain/payouts/initiate-payout.ts';
import { addRecurringPayment } from '../../src/server/domain/recurring-payments/recurring-payments.ts';
import { filePlanOf } from '../../src/server/domain/scenarios/file-plan.ts';
import { replay } from '../../src/server/domain/webhooks/delivery-job.ts';
import { StaleGeneration } from '../../src/server/sessions/generation.ts';
import type { Session } from '../../src/server/sessions/session.ts';
import type { Transaction } from '../../src/server/sessions/transaction.ts';
import type { SessionSnapshot } from '../../src/server/store/store.ts';
import { snapshotOf } from '../server/domain/snapshot.ts';
import { checkLedger, checkWorld, type Model } from './model.ts';
import type { World } from './world.ts';

const OUTCOMES = ['Paid', 'Failed', 'Cancelled', 'Expired'] as const;
const CHANNELS = ['qr-wallet', 'mobile-money', 'card-switch'] as const;
const ADJUSTMENTS = ['refund', 'chargeback', 'chargeback-reversed', 'reversal'] as const;
const CHARGEBACK = [
  { kind: 'chargeback', after: 'PT1H', amount: '4.00' },
  { kind: 'chargeback-reversed', after: 'P1D' },
] as const;
const LATE = [undefined, { outcome: 'Paid', after: 'PT1H' }, { outcome: 'Failed', after: 'PT1H' }] as const;
const ANSWERS = ['ok', 'error', 'hang up'] as const;

/** A step of a history, after which the invariants are checked. */
class Step implements fc.AsyncCommand<Model, World> {
  readonly #text: string;
  readonly #act: (world: World, model: Model) => Promise<unknown>;

  constructor(text: string, act: (world: World, model: Model) => Promise<unknown>) {
    this.#text = text;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    model.trace.push(this.#text);
    await world.waitUntilQuiet();
    await this.#act(world, model);
    await world.waitUntilQuiet();
    await checkWorld(world, model);
  }

  toString(): string {
    return this.#text;
  }
}

/** The steps that a history can contain, with random numbers. */
export function anyStep(): fc.Arbitrary<fc.AsyncCommand<Model, World>>[] {
  const small = fc.nat(7);
  return [
    fc.tuple(small, fc.constantFrom(null, 0, 2, 60), small).map(([channel, after, variant]) => {
      return new Step(`pay(${channel}, ${after}, ${variant})`, (world, model) =>
        pay(world, model, channel, after, variant),
      );
    }),
    small.map((channel) => new Step(`payLink(${channel})`, (world, model) => payLink(world, model, channel))),
    fc.tuple(small, small).map(([index, variant]) => {
      return new Step(`settle(${index}, ${variant})`, (world, model) => settle(world, model, index, variant));
    }),
    fc.tuple(small, small).map(([first, second]) => {
      return new Step(`settleAtOnce(${first}, ${second})`, (world, model) =>
        Promise.all([settle(world, model, first, 0), settle(world, model, second, 0), settle(world, model, first, 1)]),
      );
    }),
    fc.tuple(small, small).map(([index, variant]) => {
      return new Step(`adjustment(${index}, ${variant})`, (world, model) =>
        Promise.all([adjustment(world, model, index, variant), adjustment(world, model, index, 1)]),
      );
    }),
    fc.tuple(small, small).map(([credits, variant]) => {
      return new Step(`payout(${credits}, ${variant})`, (world) => payOut(world, credits, variant));
    }),
    fc.constant(
      new Step('closeSettlements', ({ session }) =>
        unlessRefused(session.transact((transaction) => closeAll(transaction, {}, filePlanOf))),
      ),
    ),
    small.map((index) => new Step(`returnSettlement(${index})`, (world) => returnOne(world, index))),
    small.map((days) => new Step(`recur(${days})`, (world) => recur(world, days))),
    fc.constantFrom(0, 1, 5, 60, 3600, 86_400, 40 * 86_400).map((seconds) => {
      return new Step(`advance(${seconds})`, async ({ session }, model) => startMove(session, model, seconds));
    }),
    fc.tuple(small, fc.nat(2)).map(([index, variant]) => {
      return new Step(`answer(${index}, ${variant})`, async ({ parked }) => {
        at(parked, index)?.answer(ANSWERS[variant] ?? 'ok');
      });
    }),
    small.map((index) => new Step(`replay(${index})`, (world, model) => replayOne(world, model, index))),
    fc.constant(new Step('save', (world, model) => save(world, model))),
    fc.constant(new Step('restore', (world, model) => restore(world, model))),
    fc.constant(new Step('reset', (world, model) => startNewEpoch(world, model, () => world.session.reset()))),
    fc.constant(new Step('delete', (world, model) => startNewEpoch(world, model, () => world.delete()))),
    fc.constant(new Step('kill', (world, model) => kill(world, model))),
    fc.tuple(small, small).map(([index, channel]) => {
      return new Step(`resetAmongCalls(${index}, ${channel})`, (world, model) =>
        resetAmongCalls(world, model, index, channel),
      );
    }),
  ];
}

/** Sets the session's endpoints, whose URLs contain its epoch. */
export async function setUp(world: World, model: Model): Promise<void> {
  const { epoch } = world;
  model.endpoints = 2;
  await world.session.transact(async (transaction) => {
    for (const number of [1, 2]) {
      const url = `http://127.0.0.1:9/epoch-${epoch}/${number}`;
      transaction.put('endpoints', {
        id: `endpoint-${number}`,
        url,
        secret: 'whsec_c2VjcmV0',
        merchantId: null,
        types: null,
      });
    }
  });
}

/** Runs until no job is due, with receivers that accept every notification. */
export async function runOut(world: World, model: Model): Promise<void> {
  let isIdle = false;
  const idle = (async () => {
    await Promise.allSettled(model.moves);
    await world.session.clockMover.runUntilIdle();
    // `runUntilIdle` does not wait for settlements; those of the last payments arrive within days.
    await world.session.clockMover.advance('P10D');
  })().finally(() => {
    isIdle = true;
  });
  while (!isIdle) {
    await world.waitUntilQuiet();
    for (const parked of [...world.parked]) {
      parked.answer('ok');
    }
  }
  await idle;
  await world.waitUntilQuiet();
}

function order(transaction: Transaction, channelNumber: number, members: object = {}) {
  const merchant = transaction.fixtures.merchant('M-1000');
  const channel = transaction.fixtures.channel(CHANNELS[channelNumber % CHANNELS.length] ?? '');
  if (!merchant || !channel) {
    throw new Error('the fixtures have changed');
  }
  return {
    environment: 'sandbox' as const,
    merchant,
    origin: 'merchant' as const,
    originId: null,
    channel,
    walletName: channel.names[0] ?? '',
    amount: 1001,
    currency: 'USD',
    description: '',
    payerName: '',
    payerReference: 'ORDER',
    payerAccountId: 1,
    profileId: 1,
    payerMobile: null,
    split: [],
    outcomePlan: {},
    ...members,
  };
}

async function pay(world: World, model: Model, channel: number, after: number | null, variant: number): Promise<void> {
  const split =
    variant % 2 === 0
      ? []
      : [
          { merchantId: 'M-1001', percentage: 33.3 },
          { merchantId: 'M-1002', percentage: 66.7 },
        ];
  const webhookBehaviour: WebhookBehaviour = { mode: variant > 5 ? 'slow' : 'normal' };
  const settle =
    after === null ? {} : { settle: { outcome: OUTCOMES[variant % OUTCOMES.length] ?? 'Paid', after: `PT${after}S` } };
  const outcomePlan = { ...settle, adjustments: variant > 3 ? CHARGEBACK : undefined, webhookBehaviour };
  const payment = await world.session.transact((transaction) =>
    initiatePayment(transaction, order(transaction, channel, { split, outcomePlan })),
  );
  model.payments.set(payment.id, payment.state);
}

export async function payLink(world: World, model: Model, channel: number): Promise<void> {
  const [existing] = await world.session.reader.all('links');
  const payment = await world.session.transact(async (transaction) => {
    const { merchant } = order(transaction, channel);
    const link = existing ?? (await saveLink(transaction, merchant, LINK));
    if (link.paid) {
      return undefined;
    }
    const outcomePlan = { lateOutcome: LATE[Math.floor(channel / CHANNELS.length)] };
    const members = { origin: 'link', originId: link.id, outcomePlan };
    return initiatePayment(transaction, order(transaction, channel, members));
  });
  if (payment) {
    model.payments.set(payment.id, payment.state);
  }
}

const LINK = {
  id: '',
  environment: 'sandbox',
  name: 'A link',
  description: '',
  reference: 'LINK',
  amount: 500,
  type: 'ONCE_OFF_FIXED',
  profileId: '1',
  startDate: '2026-01-01',
  endDate: '2099-12-31',
  currency: 'USD',
  currencyId: '1',
  otherCurrencies: false,
  successUrl: 'https://shop.example/success',
  failureUrl: 'https://shop.example/failure',
  email: 'shop@example.com',
  payer: { fullNames: '', emailAddress: '', address: '', mobile: '' },
  imageAction: 'NONE',
  image: null,
} as const;

async function settle(world: World, model: Model, index: number, variant: number): Promise<void> {
  const payment = at(await world.session.reader.all('payments'), index);
  if (!payment) {
    return;
  }
  const to = OUTCOMES[variant % OUTCOMES.length] ?? 'Paid';
  const decidedPayment = await unlessRefused(
    world.session.transact(async (transaction) => {
      const present = await transaction.get('payments', payment.id);
      return present && decidePayment(transaction, present, { to, cause: 'control' });
    }),
  );
  if (decidedPayment) {
    model.payments.set(decidedPayment.id, decidedPayment.state);
  }
}

/** Adjusts a payment by a part of its amount if `variant` is large, otherwise by the remainder. */
async function adjustment(world: World, model: Model, index: number, variant: number): Promise<void> {
  const payment = at(await world.session.reader.all('payments'), index);
  if (!payment) {
    return;
  }
  const kind = ADJUSTMENTS[variant % ADJUSTMENTS.length] ?? 'refund';
  const amount = variant < ADJUSTMENTS.length ? null : 300;
  const adjustedPayment = await unlessRefused(
    world.session.transact(async (transaction) => {
      const present = await transaction.get('payments', payment.id);
      return present && addAdjustment(transaction, present, { kind, amount, cause: 'control' });
    }),
  );
  if (adjustedPayment) {
    model.payments.set(adjustedPayment.id, adjustedPayment.state);
  }
}

async function payOut({ session }: World, count: number, variant: number): Promise<void> {
  const account = { bankName: 'Bank', bankBICCode: 'FSBKZZ22', accountNumber: '1000000001', accountName: 'One' };
  await session.transact(async (transaction) => {
    const { merchant, environment, currency, description, payerName, payerReference } = order(transaction, 0);
    const facts = { merchant, environment, currency, description, payerName, payerReference, payerBankReference: '' };
    const credits = Array.from({ length: 1 + count }, () => ({ ...account, merchantId: null, amount: 100 + count }));
    const total = credits.reduce((sum, { amount }) => sum + amount, 0);
    const outcome = variant % 3 === 0 ? ('Failed' as const) : ('Paid' as const);
    const plan = {
      outcome,
      after: `PT${variant * 1000}S`,
      ...(variant % 3 === 1 ? { returned: { after: 'P1D' } } : {}),
    };
    const outcomePlan = { payoutFunds: variant % 2 === 0 ? ('enforced' as const) : ('unlimited' as const) };
    await initiatePayout(transaction, { ...facts, total, debit: account, credits, outcomePlan, creditPlans: [plan] });
  });
}

async function returnOne({ session }: World, index: number): Promise<void> {
  await unlessRefused(
    session.transact(async (transaction) => {
      const settlement = at(await transaction.all('settlements'), index);
      return settlement && returnSettlement(transaction, settlement, { code: 'AC04' });
    }),
  );
}

async function recur({ session }: World, days: number): Promise<void> {
  await unlessRefused(
    session.transact(async (transaction) => {
      const { merchant } = order(transaction, 0);
      const token = requestPaymentToken(transaction, merchant, {
        environment: 'sandbox',
        reference: 'TOKEN',
        channel: null,
        walletName: null,
      });
      await addRecurringPayment(transaction, {
        environment: 'sandbox',
        merchant,
        intervalId: 3,
        intervalName: 'Weekly',
        paymentToken: token.token,
        reference: 'SUBSCRIPTION',
        description: '',
        startDate: `2026-03-0${1 + days}`,
        expiryDate: '2026-06-30',
        currency: 'USD',
        amount: 1500,
        profileId: 1,
        accountId: 1,
      });
    }),
  );
}

async function replayOne({ session }: World, model: Model, index: number): Promise<void> {
  const delivery = at(await session.reader.all('deliveries'), index);
  if (!delivery) {
    return;
  }
  const isUnderWay = runSteps(session.scheduler.inspect()).some(
    ({ recordId, collection, state }) => state === 'running' && collection === 'deliveries' && recordId === delivery.id,
  );
  await session.transact(async (transaction) => {
    const present = await transaction.get('deliveries', delivery.id);
    if (present) {
      replay(transaction, present);
      // A running attempt does not count as the replay, because it began earlier.
      model.attempts.set(present.id, present.attempts.length + (isUnderWay ? 2 : 1));
    }
  });
}

/** Starts a move of the clock without waiting for its end, because the move waits for receivers, which later steps control. */
function startMove(session: Session, model: Model, seconds: number): void {
  const move = session.clockMover.advance(`PT${seconds}S`).catch((error) => {
    if (!(error instanceof StaleGeneration)) {
      throw error;
    }
  });
  model.moves.push(move);
}

async function save(world: World, model: Model): Promise<void> {
  const { session } = world;
  await checkLedger(world);
  await session.transact(async (transaction) => {
    model.saved = { state: await snapshotOf(transaction, session.state), payments: new Map() };
  });
  const payments = await session.reader.all('payments');
  if (model.saved) {
    model.saved.payments = new Map(payments.map(({ id, state }): [string, Payment['state']] => [id, state]));
  }
}

async function restore(world: World, model: Model): Promise<void> {
  const { saved } = model;
  if (!saved) {
    return;
  }
  await endEpoch(world, model);
  const text = JSON.stringify(saved.state).replaceAll(/epoch([- ])\d+/g, `epoch$1${world.epoch}`);
  await world.session.restore(JSON.parse(text) as SessionSnapshot);
  model.payments = new Map(saved.payments);
}

/** A kill loses running attempts, and merges the replays that were requested during them with the next attempt. */
async function kill(world: World, model: Model): Promise<void> {
  await world.kill();
  for (const { id, attempts } of await world.session.reader.all('deliveries')) {
    if (model.attempts.has(id)) {
      model.attempts.set(id, Math.min(model.attempts.get(id) ?? 0, attempts.length + 1));
    }
  }
}

async function startNewEpoch(world: World, model: Model, action: () => Promise<void>): Promise<void> {
  await endEpoch(world, model);
  await action();
  model.payments.clear();
  await setUp(world, model);
}

/** From now on, arriving notifications of the old epoch are late. */
async function endEpoch(world: World, model: Model): Promise<void> {
  world.epoch += 1;
  model.moves.length = 0;
  model.attempts.clear();
}

/** Makes calls before and during a reset: the reset discards the former, and the latter are refused. */
async function resetAmongCalls(world: World, model: Model, index: number, channel: number): Promise<void> {
  await endEpoch(world, model);
  const before = new Map(model.payments);
  const { session } = world;
  const calls = [pay(world, model, channel, 2, 0), settle(world, model, index, 0)];
  const reset = session.reset();
  calls.push(pay(world, model, channel, 2, 0));
  const [first, , third] = await Promise.allSettled(calls);
  await reset;
  // The third call belongs to the generation that the reset has ended.
  expect(first?.status).toBe('fulfilled');
  expect(third?.status).toBe('rejected');
  expect(before.size).toBeLessThanOrEqual(model.payments.size);
  model.payments.clear();
  await setUp(world, model);
}

async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) {
      return undefined;
    }
    throw error;
  }
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items.length === 0 ? undefined : items[index % items.length];
}
