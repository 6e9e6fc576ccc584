import type { Random } from '../random.ts';
import { type Running, startProgram } from '../running.ts';
import { chooseStep } from './history-steps.ts';
import { lostBetween } from './lost-records.ts';
import { type Answer, type FetchedState, PublicSession } from './public-session.ts';

/** Names that are numbers must not be sorted, or taken for places in a list. */
const SESSIONS = ['default', 'shop', '7'];
/** Of more records in one list each start takes longer than all the rest. */
const LARGE = 150;
/** What no legal or hostile call may be answered with. */
const FAILED = 500;

/** Random public calls of one program, which is killed and started again after each, and asked what it still has. */
export class HistoryRun {
  /** Of each step and status how many there were. */
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

  /** One step, and unless others come first, a kill and a start. Returns what is wrong, in words. */
  async step(isKilled = true): Promise<string[]> {
    this.#running ??= await startProgram(...this.#args);
    const before = this.#running;
    const sessions = this.#sessionsAt(before.url);
    const session = sessions[this.#random(sessions.length)] ?? new PublicSession(before.url, 'default');
    const step = chooseStep(this.#random, this.#large.delete(session.name));
    this.#steps += 1;
    const problems: string[] = [];
    try {
      const hand = { session, random: this.#random, number: this.#steps, fetched: this.#fetched };
      problems.push(...this.#judge(step.name, await step.take(hand)));
      if (isKilled) {
        problems.push(...(await this.#killAndStart(before, sessions)));
      }
    } catch (error) {
      problems.push(`it failed: ${error instanceof Error ? `${error.message} ${error.cause ?? ''}` : error}`);
    }
    const said = before
      .output()
      .split('\n')
      .filter((line) => /ERROR|Error:/.test(line));
    return [...problems, ...said.map((line) => `the program said ${line}`)].map(
      (problem) => `step ${this.#steps}, ${step.name} in session ${session.name}: ${problem}`,
    );
  }

  async #killAndStart(before: Running, sessions: readonly PublicSession[]): Promise<string[]> {
    // Half of the kills come when nothing is under way: then all must be as it was, to the last digit.
    const isSettled = this.#random(2) === 0;
    if (isSettled) {
      await Promise.all(sessions.map((each) => each.control('POST', '/clock/advance', { by: 'PT0S' })));
    }
    const states = await statesOf(sessions);
    this.#noteLarge(states);
    await before.end('SIGKILL');
    this.#running = await startProgram(...this.#args);
    const sessionsAfter = this.#sessionsAt(this.#running.url);
    const losses = lostOf(sessionsAfter, states, await statesOf(sessionsAfter), isSettled);
    return [...losses, ...(await Promise.all(sessionsAfter.map(wrongBooksOf))).flat()];
  }

  async stop(): Promise<void> {
    await this.#running?.end('SIGTERM');
  }

  #noteLarge(states: readonly (FetchedState | undefined)[]): void {
    for (const [index, state] of states.entries()) {
      if (Object.values(state ?? {}).some((records) => Array.isArray(records) && records.length > LARGE)) {
        this.#large.add(SESSIONS[index] ?? '');
      }
    }
  }

  #judge(name: string, answer: Answer | undefined): string[] {
    const outcome = `${name}: ${answer?.status ?? 'nothing to do it to'}`;
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    return answer && answer.status >= FAILED ? [`was answered with ${answer.status}: ${answer.text}`] : [];
  }

  #sessionsAt(url: string): PublicSession[] {
    return SESSIONS.map((name) => new PublicSession(url, name));
  }
}

function lostOf(
  sessions: readonly PublicSession[],
  before: readonly (FetchedState | undefined)[],
  after: readonly (FetchedState | undefined)[],
  isSettled: boolean,
): string[] {
  return sessions.flatMap(({ name }, index) =>
    lostBetween(before[index], after[index], isSettled).map((losses) => `session ${name}: ${losses}`),
  );
}

function statesOf(sessions: readonly PublicSession[]): Promise<(FetchedState | undefined)[]> {
  return Promise.all(sessions.map((session) => session.state()));
}

async function wrongBooksOf(session: PublicSession): Promise<string[]> {
  const { status, text } = await session.control('GET', '/ledger/check');
  if (status === 404) {
    return [];
  }
  const isBalanced = status === 200 && (JSON.parse(text) as { balanced: boolean }).balanced;
  return isBalanced
    ? []
    : [`session ${session.name}: ledger/check was answered with ${status}: ${text.slice(0, 1000)}`];
}
