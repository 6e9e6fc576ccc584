import type { Delivery } from '../../../base/schema/records.ts';
import { addDuration } from '../../../base/time.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { behaviourOf } from '../behaviours/behaviours.ts';
import { newDelivery } from './delivery.ts';
import { endpointsOf, type KnownEndpoint } from './endpoints.ts';
import { type Notice, noticesOf } from './notices.ts';
import { writeOtherJson } from './other-json.ts';
import { forgedInQueue, inQueue, paused } from './queue.ts';

/** What modes take when the scenario does not say. */
const USUAL_DELAY = { delayed: 'PT5M', reordered: 'PT10S' } as const;
const USUAL_BURST = 1000;

/**
 * Delivery records for events, put into the transaction that the events belong to: a settlement and its notifications are kept
 * together or not at all.
 */
export async function keepDeliveries(
  transaction: Transaction,
  events: readonly SessionEvent[],
  webhookUrl: string | undefined,
): Promise<void> {
  for (const event of [...events]) {
    const notices = await noticesOf(transaction, event);
    const endpoints = notices.length > 0 ? await endpointsOf(transaction, webhookUrl) : [];
    for (const notice of notices) {
      for (const endpoint of endpoints.filter((each) => wants(each, notice))) {
        const facts = await sharedFacts(transaction, endpoint, notice);
        if (canBeTold(facts)) {
          planDeliveries(transaction, facts);
        }
      }
    }
  }
}

function wants({ types, merchantId }: KnownEndpoint, notice: Notice): boolean {
  return (types === null || types.includes(notice.type)) && (merchantId === null || merchantId === notice.merchantId);
}

type DeliveryFacts = Parameters<typeof newDelivery>[1];

/** What all deliveries of a notice to an endpoint have alike. */
async function sharedFacts(
  transaction: Transaction,
  endpoint: KnownEndpoint,
  { behaviour: own, ...notice }: Notice,
): Promise<DeliveryFacts> {
  const { id: endpointId, url, secret } = endpoint;
  const facts = { endpointId, url, secret, ...notice, isTest: false, dueAt: transaction.now };
  const { name, notifications: rules } = behaviourOf(transaction, own);
  const body = rules?.json === 'other-spelling' ? writeOtherJson(JSON.parse(notice.body)) : notice.body;
  const behaved = { ...facts, body, ...(name !== undefined && rules ? { behaviour: name, rules } : {}) };
  // What was forged does not come from the provider, neither late nor by the endpoint's queue.
  if (notice.forgery !== undefined) {
    return { ...behaved, ...(await forgedInQueue(transaction, url)) };
  }
  const delay = notice.webhookBehaviour.mode === 'before-answer' ? undefined : rules?.delay;
  return {
    ...behaved,
    ...(delay === undefined ? {} : { dueAt: addDuration(transaction.now, delay) }),
    ...(await inQueue(transaction, url, rules)),
  };
}

/** Whether a receiver can tell that it was forged: where nothing proves who sent it, or when, there is nothing to be wrong. */
function canBeTold({ forgery, rules }: DeliveryFacts): boolean {
  const isOfProof = forgery === 'wrong-signature' || forgery === 'unsigned' || forgery === 'old-timestamp';
  return !(isOfProof && rules?.proof === 'none') && !(forgery === 'old-timestamp' && rules?.proof === 'hash');
}

function planDeliveries(transaction: Transaction, facts: DeliveryFacts): void {
  const { mode, delay, count } = facts.webhookBehaviour;
  const make = (more: Partial<Delivery> = {}) => {
    const delivery = newDelivery(transaction, { ...facts, ...more });
    if (delivery.state === 'held') {
      transaction.put('deliveries', paused(delivery));
    }
    return delivery;
  };
  const makeLater = (milliseconds: number) => make(facts.dueAt === null ? {} : { dueAt: facts.dueAt + milliseconds });
  switch (mode) {
    case 'normal':
    case 'tampered':
    case 'slow':
    case 'forged':
    case 'before-answer':
      make();
      return;
    case 'duplicate': {
      const { webhookId } = make();
      make({ webhookId });
      return;
    }
    case 'delayed':
      makeLater(addDuration(0, delay ?? USUAL_DELAY.delayed));
      return;
    case 'reordered': {
      const span = addDuration(0, delay ?? USUAL_DELAY.reordered);
      makeLater(Math.floor(transaction.ids.chance() * span));
      return;
    }
    case 'dropped':
      makeDropped(transaction, facts);
      return;
    case 'burst':
      for (let index = 0; index < (count ?? USUAL_BURST); index += 1) {
        make();
      }
  }
}

function makeDropped(transaction: Transaction, { queue: _, ...facts }: DeliveryFacts): void {
  newDelivery(transaction, { ...facts, state: 'dropped', dueAt: null });
}
