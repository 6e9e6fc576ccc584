import type { DriftSide } from '../../base/schema/recordings.ts';
import type { Counted } from './alike.ts';
import type { NoiseFilter } from './noise-rules.ts';
import type { Context, SideName } from './seen.ts';
import type { State } from './states.ts';

/** Delays of which the median is taken: the first so many. */
const MOST_DELAYS = 1000;

interface Group {
  context: Context;
  place: string;
  /** null: never, as long as it was looked at. */
  recorded: (Interval | null)[];
  sandbox: (Interval | null)[];
  count: number;
  compared: number;
}

type Interval = Pick<State, 'from' | 'to'>;

/** Compares how long after a payment began its states were reached, by channel and state. */
export class Delays {
  readonly #filter: NoiseFilter;
  readonly #groups = new Map<string, Group>();

  constructor(filter: NoiseFilter) {
    this.#filter = filter;
  }

  tolerance(milliseconds: number): number {
    return this.#filter.tolerance('delay', milliseconds);
  }

  /** Returns whether they differ. */
  compare(context: Context, place: string, recorded: Interval, sandbox: Interval): boolean {
    const isAway = sandbox.to < recorded.from || sandbox.from > recorded.to;
    const isFar =
      sandbox.to < recorded.from - this.tolerance(recorded.from) ||
      sandbox.from > recorded.to + this.tolerance(recorded.to);
    if (isAway && !isFar) {
      this.#filter.tolerated('delay');
    }
    this.add(context, place, { recorded, sandbox }, isFar);
    return isFar;
  }

  /** Counts what was compared. */
  add(context: Context, place: string, { recorded, sandbox }: Record<SideName, Interval | null>, isFar: boolean): void {
    const { operation, channel, environment } = context;
    const key = JSON.stringify([operation, channel, environment, place]);
    const group = this.#groups.get(key) ?? { context, place, recorded: [], sandbox: [], count: 0, compared: 0 };
    this.#groups.set(key, group);
    group.compared += 1;
    group.count += isFar ? 1 : 0;
    // Where some payments differ, the report is about these.
    if (isFar && group.recorded.length < MOST_DELAYS) {
      group.recorded.push(recorded);
      group.sandbox.push(sandbox);
      group.context = group.count === 1 ? context : group.context;
    }
  }

  get differences(): Counted[] {
    return [...this.#groups.values()]
      .filter(({ count }) => count > 0)
      .map(({ context: { renamed: _, ...where }, place, recorded, sandbox, count, compared }) => ({
        kind: 'delay',
        ...where,
        place,
        recorded: sideOf(recorded),
        sandbox: sideOf(sandbox),
        count,
        compared,
      }));
  }
}

function sideOf(all: readonly (Interval | null)[]): DriftSide {
  const intervals = all.filter((each) => each !== null);
  if (intervals.length === 0) {
    return { is: null, values: [], more: false };
  }
  const ends = [intervals.map((each) => each.from), intervals.map((each) => each.to)];
  const [from = 0, to = 0] = ends.map((times) => Math.round(medianOf(times) ?? 0));
  return { is: from === to ? 'instant' : 'interval', values: from === to ? [to] : [from, to], more: false };
}

/** The middle one, or the earlier of two; undefined of none. */
export function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}
