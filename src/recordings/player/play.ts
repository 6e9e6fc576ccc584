import type { RecordedCall } from '../../base/schema/recordings.ts';
import { formatUtc, type Instant, parseInstant } from '../../base/time.ts';
import { delay } from '../../base/timers.ts';
import type { Recording, TracedCall } from '../recording.ts';
import { CarriedValues } from './carried-values.ts';
import { CallSender, NotReachable } from './send.ts';
import type { Target } from './target.ts';

/** A recorded call, and what became of it when it was played. */
export interface PlayedCall {
  recorded: TracedCall;
  /** As it was sent, with the target's time and answer. */
  replayed: RecordedCall;
}

/** A recording cannot be played on. Says at which call. */
export class PlayError extends Error {
  override readonly name = 'PlayError';
}

/** A call that was begun. */
interface Begun {
  at: Instant;
  /** When it was answered in the recording. */
  until: Instant;
  isOver: boolean;
  played: Promise<PlayedCall>;
}

/**
 * Plays the calls of a recording, and yields each with what was answered, in the order in which they began. A call is sent once all are
 * answered that were by then in the recording: what overlapped overlaps again. Nothing is sent while nobody asks for the next one.
 * Throws PlayError where the target cannot be reached, RecordingError, and the signal's reason.
 */
export async function* playCalls(
  recording: Recording,
  target: Target,
  signal?: AbortSignal,
): AsyncGenerator<PlayedCall> {
  const sender = new CallSender(target.baseUrl);
  const carried = new CarriedValues();
  const begun: Begun[] = [];
  try {
    for (const recorded of recording.calls) {
      const at = parseInstant(recorded.exchange.at);
      // Where a clock stands still, as that of a sandbox may, what comes later overlaps nothing.
      const before = begun.filter((call) => call.until <= at || call.at === at);
      await answersTo(before, target.stallMs);
      for (let first = begun[0]; first?.isOver; first = begun[0]) {
        begun.shift();
        yield await first.played;
      }
      const now = await target.moveTo(at);
      await answersTo(before, target.stallMs);
      begun.push(begin(recorded, now));
    }
    for (const { played } of begun) {
      yield await played;
    }
  } finally {
    sender.close();
  }

  function begin(recorded: TracedCall, now: Instant): Begun {
    const { exchange } = recorded;
    const at = parseInstant(exchange.at);
    const call: Begun = { at, until: endOf(exchange), isOver: false, played: play(recorded, now) };
    const over = () => {
      call.isOver = true;
    };
    call.played.then(over, over);
    return call;
  }

  async function play(recorded: TracedCall, now: Instant): Promise<PlayedCall> {
    const { exchange } = recorded;
    const sent = carried.inCall(exchange);
    try {
      const outcome = await sender.send(sent, target.patienceFor(exchange), signal);
      carried.learn(exchange.answer, outcome.answer);
      return { recorded, replayed: { kind: 'call', id: exchange.id, at: formatUtc(now), ...sent, ...outcome } };
    } catch (error) {
      throw error instanceof NotReachable ? new PlayError(`${nameOf(recorded)}: ${error.message}`) : error;
    }
  }
}

/** In whole milliseconds, as begins are: what ended in the one in which another began was over before it. */
function endOf({ at, ms }: RecordedCall): Instant {
  return Math.floor(parseInstant(at) + ms);
}

function nameOf({ exchange: { id, method, target }, file, line }: TracedCall): string {
  return `${id} (${method} ${target}, ${file}:${line})`;
}

/** Resolves once calls are over, or so many real milliseconds have passed. Never rejects. */
async function answersTo(calls: readonly Begun[], mostMs: number | undefined): Promise<void> {
  const left = calls.filter(({ isOver }) => !isOver);
  const over = Promise.allSettled(left.map(({ played }) => played));
  if (mostMs === undefined || left.length === 0) {
    await over;
    return;
  }
  const enough = new AbortController();
  await Promise.race([over.finally(() => enough.abort()), delay(mostMs, enough.signal)]);
}
