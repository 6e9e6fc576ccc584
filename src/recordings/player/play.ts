import type { DeliveryView } from '../../base/schema/generated/control.ts';
import type { RecordedCall, RecordedNotification } from '../../base/schema/generated/recordings.ts';
import { formatUtc, type Instant, parseInstant } from '../../base/time.ts';
import { delay } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { readBody } from '../body.ts';
import type { LocatedCall, Recording } from '../recording.ts';
import { CallSender } from './call-sender.ts';
import { CarriedValues } from './carried-values.ts';
import { receivingMerchants, registerMerchants } from './receiving-merchants.ts';
import { RECEIVER_URL } from './recorded-receiver.ts';

/** Real milliseconds before the clock moves on without an answer, which may depend on it. Also the timeout if no answer was recorded. */
const STALL_MS = 1000;
/** Real milliseconds to wait for an answer that the recording contains. */
const MAX_WAIT_MS = 60_000;
const PAGE_SIZE = 200;

/** A recorded call and its result in the sandbox. */
export interface PlayedCall {
  recorded: LocatedCall;
  played: RecordedCall;
}

/** The calls and notifications of a sandbox in which a recording was played. */
export interface PlayedRecording {
  calls: PlayedCall[];
  /** All attempts, grouped by delivery. */
  notifications: RecordedNotification[];
}

/**
 * Plays a recording in the client's session, which must be new and unused. Its clock is frozen at the beginning of the recording and moved
 * from call to call, so that a day takes seconds; at the end it moves by `extraMs`. Throws errors of the client, and the signal's reason.
 */
export async function playRecording(
  recording: Recording,
  client: SandboxClient,
  { extraMs = 0, signal }: { extraMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<PlayedRecording> {
  const { calls, notifications, span } = recording;
  const clock = new ForwardClock(client);
  await clock.moveTo(span?.from ?? 0);
  await registerMerchants(client, receivingMerchants(calls));
  // If none were recorded, each notification of the sandbox would be a difference.
  if (notifications.length > 0) {
    await client.setEndpoints([{ url: RECEIVER_URL }]);
  }
  const sender = new CallSender(client.baseUrl);
  try {
    const startedCalls = await startCalls(calls, clock, sender, signal);
    await clock.moveTo((span?.to ?? 0) + extraMs);
    return { calls: await Promise.all(startedCalls), notifications: await listNotifications(client) };
  } finally {
    sender.close();
  }
}

async function startCalls(
  calls: readonly LocatedCall[],
  clock: ForwardClock,
  sender: CallSender,
  signal: AbortSignal | undefined,
): Promise<Promise<PlayedCall>[]> {
  const values = new CarriedValues();
  const startedCalls: Promise<PlayedCall>[] = [];
  for (const recorded of calls) {
    signal?.throwIfAborted();
    const { exchange } = recorded;
    const at = formatUtc(await clock.moveTo(parseInstant(exchange.at)));
    const sent = values.replaceIn(exchange);
    const call = sender.send(sent, exchange.answer ? MAX_WAIT_MS : STALL_MS, signal).then((outcome): PlayedCall => {
      values.learn(exchange.answer, outcome.answer);
      return { recorded, played: { kind: 'call', id: exchange.id, at, ...sent, ...outcome } };
    });
    startedCalls.push(call);
    await waitAtMost(STALL_MS, call);
  }
  return startedCalls;
}

/** Never rejects, even if the call does. */
async function waitAtMost(milliseconds: number, call: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const answered = call.then(
    () => ended.abort(),
    () => ended.abort(),
  );
  await Promise.race([answered, delay(milliseconds, ended.signal)]);
}

/** The frozen clock of a sandbox, which only moves forward. */
class ForwardClock {
  readonly #client: SandboxClient;
  #now = Number.NEGATIVE_INFINITY;

  constructor(client: SandboxClient) {
    this.#client = client;
  }

  async moveTo(at: Instant): Promise<Instant> {
    if (at > this.#now) {
      await this.#client.freeze(formatUtc(at));
      this.#now = at;
    }
    return this.#now;
  }
}

async function listNotifications(client: SandboxClient): Promise<RecordedNotification[]> {
  const notifications: RecordedNotification[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: DeliveryView[]; nextCursor: string | null } = await client.deliveries({
      url: RECEIVER_URL,
      order: 'oldest',
      limit: String(PAGE_SIZE),
      ...(cursor === null ? {} : { cursor }),
    });
    for (const delivery of page.items) {
      notifications.push(...delivery.attempts.map((attempt) => notificationOf(delivery, attempt)));
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return notifications;
}

function notificationOf(
  { id, url, rules, body }: DeliveryView,
  { at, headers, status, ms, error }: DeliveryView['attempts'][number],
): RecordedNotification {
  const headerList = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    kind: 'notification',
    id,
    at,
    method: rules?.method ?? 'POST',
    target: new URL(url).pathname,
    headers: headerList,
    body: readBody(Buffer.from(body), headerList),
    ms,
    answer: status === null ? null : { status, headers: [], body: null },
    error: status === null ? error : null,
  };
}
