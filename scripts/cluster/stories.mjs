// Faults in an order that chance seldom finds, each the one that a certain safeguard is there for.
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, LEASE_MS } from './cluster.mjs';
import { checkFinalState } from './final-state.mjs';
import { History, SessionHistory } from './history.mjs';
import { Load } from './load.mjs';
import { randomFrom } from './random.mjs';

/** A story in which much depends on a moment plays so often. */
const MAX_ATTEMPTS = 8;

const STORIES = {
  /** What an owner sent before others took the session arrives after that. */
  async 'a late flush'({ one, other, load, session }) {
    await untilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    const late = load.pay(session, one);
    await one.proxy.holds(session.payments.at(-1).reference);
    await untilAcknowledged(() => load.pay(session, other));
    await one.proxy.resume();
    await late;
  },
  /** An owner that does not reach PostgreSQL any more is still asked. */
  async 'an owner that was cut off'({ cluster, one, other, load, session }) {
    const payment = await untilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    // Not before, or the call would be sent on to an owner that then finds out.
    await cluster.abandoned(session.name);
    await until(() => load.settle(payment, other, 'Paid'));
    await load.read(payment, one);
    await one.proxy.resume();
  },
  /** A lease runs out while its renewal is on its way, which began before that and is kept after it. */
  async 'a renewal that is kept late'({ cluster, one, other, load, session }) {
    await untilAcknowledged(() => load.pay(session, one));
    const keepInTime = await cluster.keepRenewalsLate(one);
    await cluster.abandoned(session.name);
    const payment = await untilAcknowledged(() => load.pay(session, other));
    await keepInTime();
    await until(() => load.read(payment, one));
  },
  /** What the database has kept is answered while the owner no longer trusts its lease, though it has it still. */
  async 'an answer past the trust in the lease'({ one, load, session }) {
    await untilAcknowledged(() => load.pay(session, one));
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      one.proxy.stall({ answersOnly: true });
      const late = load.pay(session, one);
      await delay(0.95 * LEASE_MS);
      await one.proxy.resume();
      await late;
      await until(() => load.read(session.payments.at(-1), one));
      await untilAcknowledged(() => load.pay(session, one));
    }
  },
  /** The database has kept a payment, and what it says of that never arrives. */
  async 'a lost answer'({ cluster, one, load, session }) {
    await untilAcknowledged(() => load.pay(session, one));
    one.proxy.stall({ answersOnly: true });
    const late = load.pay(session, one);
    const payment = session.payments.at(-1);
    await cluster.keeps(payment.reference);
    one.proxy.cut();
    await one.proxy.resume();
    await late;
    await until(() => load.read(payment, one));
  },
  /** An owner is killed before what it has been asked about was kept. */
  async 'a read of what is on its way'({ one, other, load, session }) {
    await untilAcknowledged(() => load.pay(session, one));
    one.proxy.stall();
    const late = load.pay(session, one);
    const payment = session.payments.at(-1);
    await one.proxy.holds(payment.reference);
    await load.read(payment, one);
    await one.kill();
    one.proxy.cut();
    await one.proxy.resume();
    await late;
    await until(() => load.read(payment, other));
    await one.start();
  },
};

export const STORY_NAMES = Object.keys(STORIES);

/** Plays a story on two nodes. Resolves with what was violated. */
export async function play(name, postgres, program) {
  const cluster = await Cluster.start(postgres, { nodes: 2, program });
  try {
    const history = new History();
    const session = new SessionHistory('story');
    const [one, other] = cluster.nodes;
    const load = new Load([one, other], history, randomFrom(1));
    await STORIES[name]({ cluster, one, other, load, session });
    await checkFinalState(cluster, [session], history);
    return history.violations;
  } finally {
    await cluster.stop();
  }
}

async function untilAcknowledged(pay) {
  for (;;) {
    const payment = await pay();
    if (payment.isAcknowledged) {
      return payment;
    }
  }
}

async function until(call) {
  while (!(await call())) {
    // It is retried at once: the session is between two nodes.
  }
}
