import type { DeliveryView } from '../../base/schema/control.ts';
import type { RecordedCall, RecordedNotification } from '../../base/schema/recordings.ts';
import { formatUtc, type Instant, parseInstant } from '../../base/time.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Sandbox } from '../../sandbox.ts';
import { readBody } from '../body.ts';
import { type CallKind, CallKinds } from '../call-kinds.ts';
import type { Recording } from '../recording.ts';
import { type PlayedCall, playCalls } from './play.ts';
import { RecordedAnswers, startReceiver } from './receiver.ts';
import { introduce, ReceivingMerchants } from './receiving-merchants.ts';
import { type Target, USUAL_PATIENCE_MS } from './target.ts';

/** A sandbox answers within milliseconds, unless a fault keeps it from that. */
const STALL_MS = 1000;
/** Notifications that are read at a time. */
const PAGE = 200;

/** A recorded call, and what became of it in a sandbox. */
export interface PlayedInSandbox extends PlayedCall, CallKind {}

/** A recording on its way through a sandbox. */
export interface SandboxPlay {
  /** Whether the recording has notifications: where it has none, the sandbox sends none. */
  hasNotifications: boolean;
  /** Where it sends them. */
  receiverUrl: string;
  /** Plays the calls, and then lets time go on to the end of the recording. As playCalls does; also throws ControlError. */
  calls(): AsyncGenerator<PlayedInSandbox>;
  /** What the sandbox has sent so far: one delivery after the other, oldest first, each with its attempts in order. */
  notifications(): AsyncGenerator<RecordedNotification>;
  /** Stops what answers to the notifications. */
  close(): Promise<void>;
}

/**
 * Gets ready to play a recording in a session of a sandbox that nobody else uses and nothing has happened in. Its clock is frozen where
 * the recording begins, and goes from call to call, so that a day takes seconds. What the merchant's program answered to notifications
 * is answered again. Throws RecordingError and ControlError.
 */
export async function playInSandbox(
  recording: Recording,
  { client, fixtures }: Pick<Sandbox, 'client' | 'fixtures'>,
  signal?: AbortSignal,
): Promise<SandboxPlay> {
  const [answers, receiving] = [new RecordedAnswers(), new ReceivingMerchants()];
  for (const { exchange } of [...recording.calls, ...recording.notifications]) {
    answers.take(exchange);
    receiving.take(exchange);
  }
  const hasNotifications = answers.attempts > 0;
  const receiver = await startReceiver(answers);
  const { from, to } = recording.span ?? {};
  try {
    const clock = from === undefined ? await client.freeze() : await client.freeze(formatUtc(from));
    await introduce(client, receiving.ids);
    if (hasNotifications) {
      await client.setEndpoints([{ url: receiver.url }]);
    }
    const target = new SandboxTarget(client, parseInstant(clock.now));
    return {
      hasNotifications,
      receiverUrl: receiver.url,
      async *calls() {
        const kinds = new CallKinds(fixtures);
        for await (const played of playCalls(recording, target, signal)) {
          yield { ...played, replayed: withoutDate(played.replayed), ...kinds.of(played.recorded.exchange) };
        }
        if (to !== undefined) {
          await target.moveTo(to);
        }
      },
      notifications: () => sentBy(client, receiver.url),
      close: () => receiver.close(),
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

/** The header tells the time of this machine, which is not the sandbox's. */
function withoutDate(call: RecordedCall): RecordedCall {
  const { answer } = call;
  const headers = answer?.headers.filter(({ name }) => name.toLowerCase() !== 'date') ?? [];
  return answer ? { ...call, answer: { ...answer, headers } } : call;
}

/** A session whose frozen clock goes from call to call. */
class SandboxTarget implements Target {
  readonly baseUrl: string;
  readonly stallMs = STALL_MS;
  readonly #client: SandboxClient;
  #now: Instant;

  constructor(client: SandboxClient, now: Instant) {
    this.baseUrl = client.baseUrl;
    this.#client = client;
    this.#now = now;
  }

  async moveTo(at: Instant): Promise<Instant> {
    if (at > this.#now) {
      await this.#client.freeze(formatUtc(at));
      this.#now = at;
    }
    return this.#now;
  }

  patienceFor({ answer }: RecordedCall): number {
    return answer ? USUAL_PATIENCE_MS : STALL_MS;
  }
}

async function* sentBy(client: SandboxClient, url: string): AsyncGenerator<RecordedNotification> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: { items: DeliveryView[]; nextCursor: string | null } = await client.deliveries({
      url,
      order: 'oldest',
      limit: String(PAGE),
      ...(cursor === null ? {} : { cursor }),
    });
    for (const delivery of page.items) {
      for (const attempt of delivery.attempts) {
        count += 1;
        yield notificationOf(`notification-${count}`, delivery, attempt);
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function notificationOf(
  id: string,
  { url, rules, body }: DeliveryView,
  { at, headers, status, ms, error, response }: DeliveryView['attempts'][number],
): RecordedNotification {
  const sent = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    kind: 'notification',
    id,
    at,
    method: rules?.method ?? 'POST',
    target: new URL(url).pathname,
    headers: sent,
    body: readBody(Buffer.from(body), sent),
    ms,
    answer: status === null ? null : { status, headers: [], body: readBody(Buffer.from(response ?? ''), []) },
    // What the sandbox says of an answer is no reason for there being none.
    error: status === null ? error : null,
  };
}
