import type { Delivery } from '../../base/schema/records.ts';
import { afterMilliseconds } from '../../base/timers.ts';
import { type JobContext, networkJob } from '../../sessions/job.ts';
import { failDelivery, recordAttempt, recordCutOff } from './delivery.ts';
import { requestFor, type Sender, type Sent } from './send.ts';

/** Whoever waits for an answer goes first: under load an attempt waits so many milliseconds of real time. */
const BUSY_DELAY_MS = 20;

/** Attempts at one address at one time: a slow receiver must not have all connections. What waits in a queue keeps its order. */
const LANE_WIDTH = 10;

/** One attempt at a delivery that is due. A payment settles once, so its notifications need no order among themselves. */
export function deliveryJob(sender: Pick<Sender, 'send'>, isBusy: () => boolean) {
  return networkJob<'deliveries', Sent>({
    kind: 'attempt-delivery',
    collection: 'deliveries',
    lane: ({ url, queue }) =>
      queue === undefined ? { name: url, width: LANE_WIDTH } : { name: `${queue} in order`, width: 1 },
    async send(delivery: Delivery, context: JobContext) {
      if (!context.isFrozen && isBusy()) {
        await new Promise<void>((resolve) => afterMilliseconds(BUSY_DELAY_MS, resolve));
      }
      return sender.send(delivery, context);
    },
    messageOf: (delivery, { headers }) => ({ ...requestFor(delivery), headers }),
    record: recordAttempt,
    recordCutOff,
    fail: failDelivery,
  });
}
