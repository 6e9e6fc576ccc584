import { createHash } from 'node:crypto';
import type { Awaitable } from '../../../base/awaitable.ts';
import type { Delivery } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { idOf } from '../../store/record-numbers.ts';
import { behaviourOf } from '../behaviours/behaviours.ts';
import { endpointsOf, type KnownEndpoint } from './endpoints.ts';
import { type NewNotification, newNotificationsOf } from './new-notifications.ts';
import { pauseDelivery, queueMembers, queueMembersOfForgery } from './queue.ts';
import { respellJson } from './respell-json.ts';
import { isUndetectableForgery } from './signature.ts';

const DEFAULT_DELAYS = { delayed: 'PT5M', reordered: 'PT10S' } as const;
const DEFAULT_BURST = 1000;

/** Adds the deliveries of events to the events' own transaction, so that an outcome and its notifications commit together or not at all. */
export function addDeliveries(
  transaction: Transaction,
  events: readonly SessionEvent[],
  webhookUrl: string | undefined,
): Awaitable<void> {
  const notifications = events.flatMap((event) => newNotificationsOf(transaction, event));
  return notifications.length === 0 ? undefined : addToSubscribers(transaction, notifications, webhookUrl);
}

async function addToSubscribers(
  transaction: Transaction,
  notifications: readonly NewNotification[],
  webhookUrl: string | undefined,
): Promise<void> {
  const endpoints = await endpointsOf(transaction, webhookUrl);
  for (const notification of notifications) {
    for (const endpoint of endpoints.filter((each) => isSubscribed(each, notification))) {
      const facts = sharedMembers(transaction, endpoint, notification);
      if (!isUndetectableForgery(facts)) {
        addByWebhookMode(transaction, facts);
      }
    }
  }
}

function isSubscribed({ types, merchantId }: KnownEndpoint, { type, merchantId: owner }: NewNotification): boolean {
  return (types === null || types.includes(type)) && (merchantId === null || merchantId === owner);
}

type DeliveryFacts = Omit<Delivery, 'id' | 'webhookId' | 'createdAt' | 'state' | 'attempts' | 'replays'> &
  Partial<Delivery>;

/** The members that the deliveries of a notification to one endpoint have in common. */
function sharedMembers(
  transaction: Transaction,
  endpoint: KnownEndpoint,
  { behaviour: scenarioBehaviour, ...notification }: NewNotification,
): DeliveryFacts {
  const { id: endpointId, url, secret } = endpoint;
  const facts = { endpointId, url, secret, ...notification, isTest: false, dueAt: transaction.now };
  const { name, notifications: rules } = behaviourOf(transaction, scenarioBehaviour);
  const body = rules?.json === 'other-spelling' ? respellJson(JSON.parse(notification.body)) : notification.body;
  const withBehaviour = { ...facts, body, ...(name !== undefined && rules ? { behaviour: name, rules } : {}) };
  // The provider does not send forgeries, so its delay does not apply to them, and its halted or switched-off queue does not stop them.
  if (notification.forgery !== undefined) {
    return { ...withBehaviour, ...queueMembersOfForgery(transaction, url) };
  }
  const delay = notification.webhookBehaviour.mode === 'before-answer' ? undefined : rules?.delay;
  return {
    ...withBehaviour,
    ...(delay === undefined ? {} : { dueAt: addDuration(transaction.now, delay) }),
    ...queueMembers(transaction, url, rules),
  };
}

function addByWebhookMode(transaction: Transaction, facts: DeliveryFacts): void {
  const { mode, delay, count } = facts.webhookBehaviour;
  const add = (members: Partial<Delivery> = {}) => {
    const delivery = addDelivery(transaction, { ...facts, ...members });
    // Paused only after its mode has set dueAt, because that time is restored when the endpoint is resumed.
    if (delivery.state === 'held') {
      transaction.put('deliveries', pauseDelivery(delivery));
    }
    return delivery;
  };
  const addLate = (milliseconds: number) => add(facts.dueAt === null ? {} : { dueAt: facts.dueAt + milliseconds });
  switch (mode) {
    case 'normal':
    case 'tampered':
    case 'slow':
    case 'forged':
    case 'before-answer':
      add();
      return;
    case 'duplicate':
    case 'burst': {
      const { webhookId } = add();
      const times = mode === 'duplicate' ? 2 : (count ?? DEFAULT_BURST);
      for (let sent = 1; sent < times; sent += 1) {
        add({ webhookId });
      }
      return;
    }
    case 'delayed':
      addLate(addDuration(0, delay ?? DEFAULT_DELAYS.delayed));
      return;
    case 'reordered': {
      const maxDelayMs = addDuration(0, delay ?? DEFAULT_DELAYS.reordered);
      addLate(Math.floor(transaction.ids.chance() * maxDelayMs));
      return;
    }
    case 'dropped':
      addDropped(transaction, facts);
  }
}

function addDropped(transaction: Transaction, { queue: _, ...facts }: DeliveryFacts): void {
  addDelivery(transaction, { ...facts, state: 'dropped', dueAt: null });
}

export function addDelivery(transaction: Transaction, facts: DeliveryFacts): Delivery {
  const number = transaction.next('delivery');
  const delivery: Delivery = {
    id: idOf('deliveries', number),
    webhookId: webhookIdOf(transaction, number),
    createdAt: transaction.now,
    state: 'pending',
    attempts: [],
    replays: 0,
    ...facts,
  };
  transaction.put('deliveries', delivery);
  return delivery;
}

/** Differs between sessions and after a reset, because receivers drop ids that they have seen; the same calls get the same ids. */
function webhookIdOf({ seed, sessionName, generation }: Transaction, number: number): string {
  const hash = createHash('sha256').update(JSON.stringify([seed, sessionName, generation.number, number]));
  return `msg_${hash.digest('hex').slice(0, 24)}`;
}
