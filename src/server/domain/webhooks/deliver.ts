import type { Delivery } from '../../../base/schema/records.ts';
import { afterMilliseconds } from '../../../base/timers.ts';
import { type JobContext, networkJob } from '../../sessions/job.ts';
import type { Reader } from '../../sessions/reader.ts';
import { endOrphan, failDelivery, recordAttempt, recordCutOff } from './delivery.ts';
import { endpointOf, endpointsOf } from './endpoints.ts';
import { NOT_SENT, requestFor, type Sender, type Sent } from './send.ts';
import type { SignedDelivery } from './signature.ts';

/** Whoever waits for an answer goes first: under load an attempt waits so many milliseconds of real time. */
const BUSY_DELAY_MS = 20;

/** Attempts at one address at one time: a slow receiver must not have all connections. What waits in a queue keeps its order. */
const LANE_WIDTH = 10;

/** One attempt at a delivery that is due, to its endpoint and with its secret as they are at that moment. A payment settles once, so its notifications need no order among themselves. */
export function deliveryJob(sender: Pick<Sender, 'send'>, isBusy: () => boolean, webhookUrl?: string) {
  return networkJob<'deliveries', Sent>({
    kind: 'attempt-delivery',
    collection: 'deliveries',
    lane: ({ url, queue }) =>
      queue === undefined ? { name: url, width: LANE_WIDTH } : { name: `${queue} in order`, width: 1 },
    async send(delivery: Delivery, context: JobContext) {
      if (!context.isFrozen && isBusy()) {
        await new Promise<void>((resolve) => afterMilliseconds(BUSY_DELAY_MS, resolve));
      }
      const current = await currentDelivery(delivery, context.reader, webhookUrl);
      return current ? sender.send(current, context) : NOT_SENT;
    },
    messageOf: (delivery, { headers }) => ({ ...requestFor(delivery), headers }),
    record: (transaction, delivery, tried, sent, claimedAt) =>
      sent.error === NOT_SENT.error
        ? endOrphan(transaction, delivery)
        : recordAttempt(transaction, delivery, tried, sent, claimedAt),
    recordCutOff,
    fail: failDelivery,
  });
}

/** A delivery with the secrets that its endpoint has now; undefined where the endpoint was removed. A sample has no endpoint. */
async function currentDelivery(
  delivery: Delivery,
  reader: Reader,
  webhookUrl: string | undefined,
): Promise<SignedDelivery | undefined> {
  if (delivery.endpointId === null) {
    return delivery;
  }
  const endpoint = endpointOf(delivery, await endpointsOf(reader, webhookUrl));
  if (!endpoint) {
    return undefined;
  }
  const { secret, previousSecrets = [] } = endpoint;
  const valid = previousSecrets.filter(({ until }) => until > reader.now);
  return { ...delivery, secret, previousSecrets: valid.map((each) => each.secret) };
}
