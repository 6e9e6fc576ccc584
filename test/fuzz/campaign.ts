import { rmSync } from 'node:fs';
import fc from 'fast-check';
import type { Attack } from './attack.ts';
import { type Ending, Subject, type Tally } from './subject.ts';

/** A failure, and how to reproduce it. */
export interface Failure {
  problem: string;
  /** The requests since the last successful start, without those that the failure does not need. */
  history: readonly Attack[];
}

/** After this many rounds, a new file is used, because otherwise the state would grow forever. */
const ROUNDS_PER_FILE = 5;
/** The time limit for shortening the history of a failure. */
const SHRINK_MS = 20_000;

/**
 * Sends requests to a sandbox, then starts it again from its file; repeats this while `shouldContinue` returns true. Each client has
 * one pending request. Ends at the first failure.
 */
export async function campaign(
  attack: fc.Arbitrary<Attack>,
  {
    seed,
    requests,
    shouldContinue,
    tally,
  }: { seed: number; requests: number; shouldContinue(round: number): boolean; tally: Tally },
): Promise<Failure | undefined> {
  let subject = await Subject.start();
  try {
    for (let round = 0; round === 0 || shouldContinue(round); round += 1) {
      if (round > 0 && round % ROUNDS_PER_FILE === 0) {
        await subject.close();
        subject = await Subject.start();
      }
      const files = subject.copyFiles();
      const history = fc.sample(attack, { numRuns: requests, seed: seed + round });
      const ending = round % 2 === 0 ? 'kill' : 'close';
      const problem = await play(subject, history, ending, tally);
      if (problem !== undefined) {
        console.error(problem);
      }
      const failure =
        problem === undefined ? undefined : { problem, history: await shortest(history, { files, ending }) };
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

/** Sends a history and starts the sandbox again. Resolves with the problem; undefined if there was none. */
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
  let problem: string | undefined;
  const send = async (attacks: readonly Attack[]) => {
    for (const attack of attacks) {
      const fault = await subject.attack(attack, tally);
      problem ??= fault && `${attack.method} ${attack.path}: ${fault}`;
      if (problem !== undefined) {
        return;
      }
    }
  };
  await Promise.all([...clients.values()].map(send));
  return problem ?? (await subject.restart(ending));
}

/** The files that a history began with, and how it ended. */
interface Circumstances {
  files: string;
  ending: Ending;
}

/** Removes smaller and smaller pieces that the failure does not need, until the time limit. */
async function shortest(history: readonly Attack[], circumstances: Circumstances): Promise<readonly Attack[]> {
  let short = history;
  const until = performance.now() + SHRINK_MS;
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

/** A failure in words, with every request that it needs. */
export function describeFailure({ problem, history }: Failure): string {
  const lines = history.map(({ client, method, path, headers, body, raw }) =>
    raw
      ? `client ${client}: bytes ${JSON.stringify(raw.toString('latin1'))}`
      : `client ${client}: ${method} ${path} ${JSON.stringify(headers)} ${cut(body)}`,
  );
  return [problem, `shown by ${history.length} requests:`, ...lines].join('\n');
}

/** The maximum number of characters of a body that are printed. */
const MAX_SHOWN = 5000;

function cut(body: string | Buffer | undefined): string {
  const text = body === undefined ? '' : JSON.stringify(typeof body === 'string' ? body : body.toString('latin1'));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}
