// Sequences of faults that rarely happen at random, one for each safeguard.
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, LEASE_MS } from './cluster.mjs';
import { checkFinalState } from './final-state.mjs';
import { History, KnownSession } from './history.mjs';
import { Load } from './load.mjs';
import { randomFrom } from './random.mjs';

/** Repetitions of a fault that depends on exact timing. */
const MAX_ATTEMPTS = 8;

const STORIES = {
  /** A write of the previous owner arrives after another node has taken the session over. */
  async 'a late flush'({ one, other, load, session }) {
    await payUntilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    const lateCall = load.pay(session, one);
    await one.proxy.waitUntilHeld(session.payments.at(-1).reference);
    await payUntilAcknowledged(() => load.pay(session, other));
    await one.proxy.resume();
    await lateCall;
  },
  /** An owner without a connection to PostgreSQL gets a call. */
  async 'an owner that was cut off'({ cluster, one, other, load, session }) {
    const payment = await payUntilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    // Otherwise the call would be forwarded to the owner, which would then notice the loss of its lease.
    await cluster.waitUntilAbandoned(session.name);
    await retryUntilAnswered(() => load.settle(payment, other, 'Paid'));
    await load.read(payment, one);
    await one.proxy.resume();
  },
  /** A renewal begins before the lease expires, but is committed afterwards. */
  async 'a late commit of a renewal'({ cluster, one, other, load, session }) {
    await payUntilAcknowledged(() => load.pay(session, one));
    const endDelay = await cluster.delayRenewals(one);
    await cluster.waitUntilAbandoned(session.name);
    const payment = await payUntilAcknowledged(() => load.pay(session, other));
    await endDelay();
    await retryUntilAnswered(() => load.read(payment, one));
  },
  /** A commit is acknowledged when the owner no longer trusts its lease, although the lease is still valid. */
  async 'an answer after the trusted part of the lease'({ one, load, session }) {
    await payUntilAcknowledged(() => load.pay(session, one));
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      one.proxy.stall({ answersOnly: true });
      const lateCall = load.pay(session, one);
      await delay(0.95 * LEASE_MS);
      await one.proxy.resume();
      await lateCall;
      await retryUntilAnswered(() => load.read(session.payments.at(-1), one));
      await payUntilAcknowledged(() => load.pay(session, one));
    }
  },
  /** The database commits a payment, but its answer never arrives. */
  async 'a lost answer'({ cluster, one, load, session }) {
    await payUntilAcknowledged(() => load.pay(session, one));
    one.proxy.stall({ answersOnly: true });
    const lateCall = load.pay(session, one);
    const payment = session.payments.at(-1);
    await cluster.waitUntilCommitted(payment.reference);
    one.proxy.cut();
    await one.proxy.resume();
    await lateCall;
    await retryUntilAnswered(() => load.read(payment, one));
  },
  /** An owner is killed after a read of a payment that is not committed yet. */
  async 'a read of an uncommitted payment'({ one, other, load, session }) {
    await payUntilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    const lateCall = load.pay(session, one);
    const payment = session.payments.at(-1);
    await one.proxy.waitUntilHeld(payment.reference);
    await load.read(payment, one);
    await one.kill();
    one.proxy.cut();
    await one.proxy.resume();
    await lateCall;
    await retryUntilAnswered(() => load.read(payment, other));
    await one.start();
  },
};

export const STORY_NAMES = Object.keys(STORIES);

/** Plays a story on two nodes. Resolves with the violations. */
export async function play(name, postgres, program) {
  const cluster = await Cluster.start(postgres, { nodes: 2, program });
  try {
    const history = new History();
    const session = new KnownSession('story');
    const [one, other] = cluster.nodes;
    const load = new Load([one, other], history, randomFrom(1));
    await STORIES[name]({ cluster, one, other, load, session });
    await checkFinalState(cluster, [session], history);
    return history.violations;
  } finally {
    await cluster.stop();
  }
}

async function payUntilAcknowledged(pay) {
  for (;;) {
    const payment = await pay();
    if (payment.isAcknowledged) {
      return payment;
    }
  }
}

async function retryUntilAnswered(call) {
  while (!(await call())) {
    // Retried at once, because the session is moving to another node.
  }
}
