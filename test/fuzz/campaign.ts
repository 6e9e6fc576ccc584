import { rmSync } from 'node:fs';
import fc from 'fast-check';
import type { Attack } from './attack.ts';
import { type Ending, Subject, type Tally } from './subject.ts';

/** What went wrong, and what shows it again. */
export interface Failure {
  what: string;
  /** The requests since the last good start, shortened as far as it shows with fewer of them. */
  history: readonly Attack[];
}

/** Starts from the same file before it is thrown away, so that no state grows for ever. */
const LEGS = 5;
/** How long shorter histories are looked for, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Sends requests to a sandbox on a file and starts it again from there, leg after leg, as often as `goesOn` says. Each client
 * has one request under way. Ends at the first failure.
 */
export async function campaign(
  attack: fc.Arbitrary<Attack>,
  { seed, requests, goesOn, tally }: { seed: number; requests: number; goesOn(leg: number): boolean; tally: Tally },
): Promise<Failure | undefined> {
  let subject = await Subject.start();
  try {
    for (let leg = 0; leg === 0 || goesOn(leg); leg += 1) {
      if (leg > 0 && leg % LEGS === 0) {
        await subject.close();
        subject = await Subject.start();
      }
      const files = subject.copyFiles();
      const history = fc.sample(attack, { numRuns: requests, seed: seed + leg });
      const ending = leg % 2 === 0 ? 'kill' : 'close';
      const what = await play(subject, history, ending, tally);
      if (what !== undefined) {
        console.error(what);
      }
      const failure = what === undefined ? undefined : { what, history: await shortest(history, { files, ending }) };
      rmSync(files, { recursive: true });
      if (failure) {
        return failure;
      }
    }
    return undefined;
  } finally {
    await subject.close().catch(() => undefined);
  }
}

/** Sends a history and starts the sandbox again. What went wrong; undefined where nothing did. */
async function play(
  subject: Subject,
  history: readonly Attack[],
  ending: Ending,
  tally?: Tally,
): Promise<string | undefined> {
  const clients = new Map<number, Attack[]>();
  for (const attack of history) {
    clients.set(attack.client, [...(clients.get(attack.client) ?? []), attack]);
  }
  let failed: string | undefined;
  const send = async (attacks: readonly Attack[]) => {
    for (const attack of attacks) {
      const fault = await subject.attack(attack, tally);
      failed ??= fault && `${attack.method} ${attack.path}: ${fault}`;
      if (failed !== undefined) {
        return;
      }
    }
  };
  await Promise.all([...clients.values()].map(send));
  return failed ?? (await subject.restart(ending));
}

/** The files that a history began with, and how it ended. */
interface Circumstances {
  files: string;
  ending: Ending;
}

/** Leaves out what the failure shows without: ever smaller pieces, as long as there is patience. */
async function shortest(history: readonly Attack[], circumstances: Circumstances): Promise<readonly Attack[]> {
  let short = history;
  const until = performance.now() + PATIENCE_MS;
  for (let size = Math.ceil(short.length / 2); size >= 1 && performance.now() < until; size = Math.floor(size / 2)) {
    for (let from = 0; from < short.length && performance.now() < until; ) {
      const without = [...short.slice(0, from), ...short.slice(from + size)];
      if (without.length > 0 && (await fails(without, circumstances))) {
        short = without;
      } else {
        from += size;
      }
    }
  }
  return short;
}

async function fails(history: readonly Attack[], { files, ending }: Circumstances): Promise<boolean> {
  const subject = await Subject.start(files);
  try {
    return (await play(subject, history, ending)) !== undefined;
  } finally {
    await subject.close().catch(() => undefined);
  }
}

/** A failure in words, with every request that it takes. */
export function describeFailure({ what, history }: Failure): string {
  const lines = history.map(({ client, method, path, headers, body, raw }) =>
    raw
      ? `client ${client}: bytes ${JSON.stringify(raw.toString('latin1'))}`
      : `client ${client}: ${method} ${path} ${JSON.stringify(headers)} ${cut(body)}`,
  );
  return [what, `shown by ${history.length} requests:`, ...lines].join('\n');
}

/** Longer than any body that a person can read. */
const SHOWN = 5000;

function cut(body: string | Buffer | undefined): string {
  const text = body === undefined ? '' : JSON.stringify(typeof body === 'string' ? body : body.toString('latin1'));
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}
