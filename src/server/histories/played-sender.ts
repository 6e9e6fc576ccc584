import type { Delivery } from '../../base/schema/records.ts';
import { pauseOf, type Sender, type Sent } from '../domain/webhooks/send.ts';
import { headersOf } from '../domain/webhooks/signature.ts';
import type { JobContext } from '../sessions/job.ts';
import type { Playback } from './playback.ts';

/** Sends nothing while a history is played: each receiver answers what it answered then. */
export class PlayedSender implements Pick<Sender, 'send'> {
  readonly #playback: Playback;
  readonly #sender: Sender;

  constructor(playback: Playback, sender: Sender) {
    this.#playback = playback;
    this.#sender = sender;
  }

  async send(delivery: Delivery, context: Pick<JobContext, 'signal' | 'sleep'>): Promise<Sent> {
    const pause = pauseOf(delivery);
    if (!this.#playback.isOver) {
      const answer = this.#playback.outcomeOf(`attempt-delivery ${delivery.id}`);
      if (pause > 0) {
        await Promise.race([context.sleep(pause).catch(() => undefined), answer]);
      }
      // What the schema of a bundle's lines demands of an outcome.
      const sent = (await answer) as Sent | undefined;
      if (sent) {
        return signedAnew(delivery, sent);
      }
    }
    return this.#playback.isClosed ? CUT_OFF : this.#sender.send(delivery, context);
  }
}

/** Nothing left: the sandbox that the history was played in is closing. */
const CUT_OFF: Sent = { headers: {}, status: null, ms: 0, error: 'the sandbox was stopped', response: null };

/** The secret may be a stand-in. */
async function signedAnew(delivery: Delivery, sent: Sent): Promise<Sent> {
  const { 'webhook-timestamp': timestamp } = sent.headers;
  return { ...sent, headers: await headersOf(delivery, timestamp === undefined ? undefined : Number(timestamp)) };
}
