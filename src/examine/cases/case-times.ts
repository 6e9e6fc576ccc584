import { steadyNow } from '../../base/timers.ts';
import { namesOf } from './case.ts';
import type { PlannedCase } from './plan.ts';

/** A situation on a channel, with the real time that its orders took. */
export interface TimedCase {
  situation: string;
  channel: string;
  milliseconds: number;
}

const SHOWN = 5;

/** How long each single situation took. */
export class CaseTimes {
  readonly #all: TimedCase[] = [];

  async measure({ examined, channel }: PlannedCase, work: Promise<void>): Promise<void> {
    const began = steadyNow();
    await work;
    this.#all.push({ situation: namesOf(examined), channel, milliseconds: Math.round(steadyNow() - began) });
  }

  /** The slowest first. */
  get slowest(): readonly TimedCase[] {
    return this.#all.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SHOWN);
  }

  /** How long this many more cases will take if they are like those before; undefined before the first. */
  leftMs(cases: number): number | undefined {
    const spent = this.#all.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    return this.#all.length === 0 ? undefined : (cases * spent) / this.#all.length;
  }
}
