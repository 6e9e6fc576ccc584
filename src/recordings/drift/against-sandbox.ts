import { isMembers } from '../../base/members.ts';
import type { Fixtures, Sender, Settings } from '../../server/index.ts';
import { startWith } from '../../start-with.ts';
import { playInSandbox } from '../player/sandbox-play.ts';
import type { Recording } from '../recording.ts';
import { type Compared, Comparison } from './comparison.ts';
import { fixturesFor } from './fixtures-for.ts';
import type { NoiseFilter } from './noise-rules.ts';

/** What becomes of a notification that goes nowhere: the sandbox goes on as if it were taken. */
const TAKEN = { status: 200, ms: 0, error: null, response: null } as const;

/** The sandbox that a recording is compared with. */
export interface SandboxOptions {
  /** Folder of fixtures. */
  fixtures?: string | undefined;
  scenario?: string | undefined;
  behaviour?: string | undefined;
  validation?: Settings['validation'] | undefined;
  contentType?: Settings['contentType'];
}

/**
 * Compares a recording with what a sandbox, started for this, does when it is played. Throws RecordingError, PlayError, FixtureError, and
 * the signal's reason.
 */
export async function compareWithSandbox(
  filter: NoiseFilter,
  recording: Recording,
  { fixtures, scenario, behaviour, validation, contentType }: SandboxOptions,
  signal: AbortSignal | undefined,
): Promise<Compared> {
  const all = { fixtures, scenario, behaviour, validation, contentType };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  let receiver: string | undefined;
  // Merchants in the fixtures may have addresses for notifications, where a shop listens that knows nothing of this.
  const wayFor = (sender: Sender): Pick<Sender, 'send'> => ({
    send: async (delivery, context) =>
      delivery.url === receiver ? sender.send(delivery, context) : { ...TAKEN, headers: {} },
  });
  const settings = { merchants: 'open', ...Object.fromEntries(given) } as const;
  const sandbox = await startWith({ additions: { operations: [], wayFor } }, settings);
  const comparison = new Comparison(filter, wordsIn(sandbox.fixtures.paymentStates));
  try {
    const play = await playInSandbox(recording, sandbox, signal);
    receiver = play.receiverUrl;
    try {
      for await (const call of play.calls()) {
        comparison.call(call);
      }
      // What comes a little later than it was recorded is to be seen, too.
      const { from = 0, to = 0 } = recording.span ?? {};
      const longer = Math.ceil(filter.tolerance('delay', to - from));
      await sandbox.client.advance(`PT${longer / 1000}S`);
      for (const { exchange, ...place } of recording.notifications) {
        comparison.notification('recorded', exchange, place);
      }
      for await (const notification of play.notifications()) {
        comparison.notification('sandbox', notification);
      }
      const { differences, ...compared } = comparison.end({ recorded: to, sandbox: to + longer });
      return { ...compared, differences: differences.map((each) => ({ ...each, fixtures: fixturesFor(each) })) };
    } finally {
      await play.close();
    }
  } finally {
    await sandbox.close();
  }
}

function wordsIn(states: Fixtures['paymentStates']): string[] {
  return Object.values(states).flatMap((state) => (isMembers(state) ? String(state['word']) : []));
}
