import type {
  RecordedBody,
  RecordedCall,
  RecordedNotification,
} from '../../../src/base/schema/generated/recordings.ts';
import { CallSender } from '../../../src/recordings/player/call-sender.ts';
import type { SentCall } from '../../../src/recordings/player/call-values.ts';
import { type Recording, readRecording } from '../../../src/recordings/recording.ts';
import { RecordingWriter } from '../../../src/recordings/recording-writer.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';

export const BEGIN = '2026-03-01T10:00:00.000Z';

/** The instant N seconds after the beginning of the recording. */
export function timeAfter(seconds: number): string {
  return new Date(Date.parse(BEGIN) + Math.round(seconds * 1000)).toISOString();
}

/** Writes exchanges as a recording, and reads it. */
export async function recordingOf(
  folder: string,
  exchanges: readonly (RecordedCall | RecordedNotification)[],
): Promise<Recording> {
  const writer = await RecordingWriter.create(folder, {
    upstream: 'https://provider.test',
    startedAt: BEGIN,
    masked: [],
  });
  for (const exchange of exchanges) {
    await writer.write(exchange);
  }
  await writer.close();
  return readRecording(folder);
}

/** A merchant's program whose calls are recorded as if it sent one every ten seconds. */
export class Tape {
  readonly calls: RecordedCall[] = [];
  readonly #sender: CallSender;

  constructor(baseUrl: string) {
    this.#sender = new CallSender(baseUrl);
  }

  /** Sends and records a call. Resolves with the JSON of its answer. */
  async call(
    method: string,
    target: string,
    body: RecordedBody = null,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ): Promise<Record<string, string>> {
    const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }));
    const sent: SentCall = { method, target, headers: pairs, body };
    const outcome = await this.#sender.send(sent, LONG_WAIT.timeout);
    const count = this.calls.length;
    this.calls.push({ kind: 'call', id: `call-${count + 1}`, at: timeAfter(count * 10), ...sent, ...outcome, ms: 5 });
    const answer = outcome.answer?.body;
    return answer && 'json' in answer ? (answer.json as Record<string, string>) : {};
  }

  /** Initiates a payment. Resolves with the JSON of the answer. */
  async pay(members: Record<string, unknown>): Promise<Record<string, string>> {
    const json = exampleOf('requests/single-payment', members);
    const answer = await this.call('POST', '/init/authenticate/merchant/wallet', { json });
    return answer['paymentInitiationResponse'] as unknown as Record<string, string>;
  }
}
