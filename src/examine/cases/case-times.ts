import { steadyNow } from '../../base/timers.ts';
import { caseIdOf } from './case.ts';
import type { PlannedCase } from './plan.ts';

/** A situation on a channel, with the real time that its orders took. */
export interface TimedCase {
  situation: string;
  channel: string;
  milliseconds: number;
}

const MAX_SLOWEST = 5;

export class CaseTimes {
  readonly #all: TimedCase[] = [];

  async measure({ testCase, channel }: PlannedCase, work: Promise<void>): Promise<void> {
    const startedAt = steadyNow();
    await work;
    this.#all.push({ situation: caseIdOf(testCase), channel, milliseconds: Math.round(steadyNow() - startedAt) });
  }

  /** The slowest first. */
  get slowest(): readonly TimedCase[] {
    return this.#all.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, MAX_SLOWEST);
  }

  /** The estimated time of further cases; undefined before the first has ended. */
  leftMs(cases: number): number | undefined {
    const spent = this.#all.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    return this.#all.length === 0 ? undefined : (cases * spent) / this.#all.length;
  }
}
