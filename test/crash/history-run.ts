import type { Random } from '../random.ts';
import { type Running, startProgram } from '../running.ts';
import { chooseStep } from './history-steps.ts';
import { lostBetween } from './lost-records.ts';
import { type Answer, type FetchedState, PublicSession } from './public-session.ts';

/** One name is a number, because objects sort such keys. */
const SESSIONS = ['default', 'shop', '7'];
/** A session with a longer list is reset, because a start would take longer than all other steps. */
const MAX_RECORDS = 150;
/** No call, valid or not, may be answered with this status or a higher one. */
const SERVER_ERROR = 500;

/** Sends random calls to a program, and kills and restarts it in between to compare its data. */
export class HistoryRun {
  /** The number of calls, by step and status. */
  readonly counts = new Map<string, number>();
  readonly #random: Random;
  readonly #args: string[];
  readonly #fetched: FetchedState[] = [];
  /** Sessions that have grown large. */
  readonly #large = new Set<string>();
  #running: Running | undefined;
  #steps = 0;

  constructor(file: string, random: Random) {
    this.#random = random;
    this.#args = ['start', '--port', '0', '--data', file, '--now', '2026-03-01T10:00:00Z', '--log-level', 'error'];
  }

  /** Takes a step, then kills and restarts the program unless `shouldKill` is false. Returns the problems. */
  async step(shouldKill = true): Promise<string[]> {
    this.#running ??= await startProgram(...this.#args);
    const before = this.#running;
    const sessions = this.#sessionsAt(before.url);
    const session = sessions[this.#random(sessions.length)] ?? new PublicSession(before.url, 'default');
    const step = chooseStep(this.#random, this.#large.delete(session.name));
    this.#steps += 1;
    const problems: string[] = [];
    try {
      const context = { session, random: this.#random, number: this.#steps, fetched: this.#fetched };
      problems.push(...this.#countAnswer(step.name, await step.run(context)));
      if (shouldKill) {
        problems.push(...(await this.#killAndStart(before, sessions)));
      }
    } catch (error) {
      problems.push(`it failed: ${error instanceof Error ? `${error.message} ${error.cause ?? ''}` : error}`);
    }
    const errors = before
      .output()
      .split('\n')
      .filter((line) => /ERROR|Error:/.test(line));
    return [...problems, ...errors.map((line) => `the program printed ${line}`)].map(
      (problem) => `step ${this.#steps}, ${step.name} in session ${session.name}: ${problem}`,
    );
  }

  async #killAndStart(before: Running, sessions: readonly PublicSession[]): Promise<string[]> {
    // Before half of the kills, due jobs are run, so that the data must be identical afterwards.
    const isIdle = this.#random(2) === 0;
    if (isIdle) {
      await Promise.all(sessions.map((each) => each.control('POST', '/clock/advance', { by: 'PT0S' })));
    }
    const states = await statesOf(sessions);
    this.#recordLarge(states);
    await before.end('SIGKILL');
    this.#running = await startProgram(...this.#args);
    const sessionsAfter = this.#sessionsAt(this.#running.url);
    const losses = lossesOf(sessionsAfter, states, await statesOf(sessionsAfter), isIdle);
    return [...losses, ...(await Promise.all(sessionsAfter.map(booksProblemsOf))).flat()];
  }

  async stop(): Promise<void> {
    await this.#running?.end('SIGTERM');
  }

  #recordLarge(states: readonly (FetchedState | undefined)[]): void {
    for (const [index, state] of states.entries()) {
      if (Object.values(state ?? {}).some((records) => Array.isArray(records) && records.length > MAX_RECORDS)) {
        this.#large.add(SESSIONS[index] ?? '');
      }
    }
  }

  #countAnswer(name: string, answer: Answer | undefined): string[] {
    const outcome = `${name}: ${answer?.status ?? 'no record to use'}`;
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    return answer && answer.status >= SERVER_ERROR ? [`was answered with ${answer.status}: ${answer.text}`] : [];
  }

  #sessionsAt(url: string): PublicSession[] {
    return SESSIONS.map((name) => new PublicSession(url, name));
  }
}

function lossesOf(
  sessions: readonly PublicSession[],
  before: readonly (FetchedState | undefined)[],
  after: readonly (FetchedState | undefined)[],
  isIdle: boolean,
): string[] {
  return sessions.flatMap(({ name }, index) =>
    lostBetween(before[index], after[index], isIdle).map((losses) => `session ${name}: ${losses}`),
  );
}

function statesOf(sessions: readonly PublicSession[]): Promise<(FetchedState | undefined)[]> {
  return Promise.all(sessions.map((session) => session.state()));
}

async function booksProblemsOf(session: PublicSession): Promise<string[]> {
  const { status, text } = await session.control('GET', '/ledger/check');
  if (status === 404) {
    return [];
  }
  const isBalanced = status === 200 && (JSON.parse(text) as { balanced: boolean }).balanced;
  return isBalanced
    ? []
    : [`session ${session.name}: ledger/check was answered with ${status}: ${text.slice(0, 1000)}`];
}
