// Compares the final state, as read from every node and from a new one that only has the journal, with all answers.
import { setTimeout as delay } from 'node:timers/promises';
import { control, isUnanswered } from './calls.mjs';
import { numberOf } from './history.mjs';

const PAGE_SIZE = 1000;
const RETRY_MS = 100;
/** Within this time, all pending payments are decided, and all nodes answer again. */
const TIMEOUT_MS = 60_000;

export async function checkFinalState(cluster, sessions, history) {
  const [first] = cluster.nodes;
  await waitUntilDecided(first, sessions, history);
  const texts = new Map();
  for (const session of sessions) {
    for (const node of cluster.nodes) {
      const payments = await paymentsOf(node, session);
      compare(texts, session, payments, { history, by: `node ${node.name}` });
    }
    checkPayments(session, JSON.parse(texts.get(session)), history);
  }
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  const newNode = await cluster.addNode();
  for (const session of sessions) {
    compare(texts, session, await paymentsOf(newNode, session), { history, by: 'a node that read the journal' });
  }
}

/** All payments of a session, the oldest first; tries until the session answers. */
async function paymentsOf(node, session) {
  const payments = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await fetchWithRetries(node, session, `/payments?order=oldest&limit=${PAGE_SIZE}${cursor}`);
    payments.push(...page.items);
    cursor = page.nextCursor && `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  return payments;
}

async function fetchWithRetries(node, session, path) {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await control(node, session.name, 'GET', path);
    if (answer.status === 200) {
      return JSON.parse(answer.text);
    }
    if (!isUnanswered(answer) || performance.now() > until) {
      // A session without acknowledged payments may not exist.
      return answer.status === 404 && session.acknowledged === 0
        ? { items: [], nextCursor: null }
        : Promise.reject(new Error(`session ${session.name} does not answer: ${answer.status} ${answer.text}`));
    }
    await delay(RETRY_MS);
  }
}

/** Waits until the scenario has decided its payments, because another node may have to take over a due payment first. */
async function waitUntilDecided(node, sessions, history) {
  const until = performance.now() + TIMEOUT_MS;
  for (const session of sessions) {
    for (;;) {
      const waiting = (await paymentsOf(node, session)).filter(
        ({ payerReference, state }) =>
          session.byReference.get(payerReference)?.isDecidedByScenario && state === 'Processing',
      );
      if (waiting.length === 0) {
        break;
      }
      if (performance.now() > until) {
        history.addViolation(
          `session ${session.name}: ${waiting[0].payerReference} was due to be paid, but is still Processing`,
        );
        break;
      }
      await delay(RETRY_MS);
    }
  }
}

function compare(texts, session, payments, { history, by }) {
  const text = JSON.stringify(payments);
  const before = texts.get(session);
  if (before !== undefined && before !== text) {
    history.addViolation(
      `session ${session.name} is different when read from ${by}: ${firstDifference(JSON.parse(before), payments)}`,
    );
  }
  texts.set(session, before ?? text);
}

function firstDifference(before, after) {
  const index = before.findIndex((payment, place) => JSON.stringify(payment) !== JSON.stringify(after[place]));
  const place = index < 0 ? before.length : index;
  return `${describePayment(before[place])} became ${describePayment(after[place])}`;
}

function describePayment(payment) {
  return payment === undefined ? 'nothing' : `${payment.id} with ${payment.payerReference}, ${payment.state},`;
}

/**
 * Checks that every acknowledged payment exists once with its amount, and that numbers have no gap. Payments of unknown outcome may
 * exist as well.
 */
function checkPayments(session, payments, history) {
  const beganAt = history.nextMoment();
  for (const payment of payments) {
    history.recordItem(session, payment, beganAt);
  }
  const wrongIndex = payments.findIndex(({ id }, index) => numberOf(id) !== index + 1);
  if (wrongIndex >= 0) {
    history.addViolation(`session ${session.name}: payment ${wrongIndex + 1} has the id ${payments[wrongIndex].id}`);
  }
  const counts = new Map();
  for (const { payerReference } of payments) {
    counts.set(payerReference, (counts.get(payerReference) ?? 0) + 1);
  }
  for (const { reference, isAcknowledged, knownSince } of session.payments) {
    const count = counts.get(reference) ?? 0;
    if (count > 1 || (count === 0 && (isAcknowledged || knownSince < beganAt))) {
      history.addViolation(`session ${session.name}: payment ${reference} was acknowledged, but exists ${count} times`);
    }
  }
  checkTotal(session, payments, history);
}

/** Checks that the sum is that of the acknowledged payments and of the others that exist. */
function checkTotal(session, payments, history) {
  const cents = (sum, { amount }) => sum + Math.round(Number(amount) * 100);
  const listedCents = payments.reduce(cents, 0);
  const existing = new Set(payments.map(({ payerReference }) => payerReference));
  const acknowledgedCents = session.payments.filter(({ isAcknowledged }) => isAcknowledged).reduce(cents, 0);
  const unknownCents = session.payments
    .filter(({ reference, isAcknowledged }) => !isAcknowledged && existing.has(reference))
    .reduce(cents, 0);
  if (listedCents !== acknowledgedCents + unknownCents) {
    history.addViolation(
      `session ${session.name}: ${listedCents} cents are listed, but ${acknowledgedCents} were acknowledged and ${unknownCents} had an unknown outcome`,
    );
  }
}
