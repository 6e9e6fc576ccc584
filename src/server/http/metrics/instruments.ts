import type { Sample } from './text-format.ts';

/** No label's value contains it, because names have no control characters. */
const SEPARATOR = '\u0000';

/** Counts by labels. The number of label values must be bounded, because each combination is kept. */
export class Counter {
  readonly #labels: readonly string[];
  readonly #counts = new Map<string, number>();

  constructor(...labels: string[]) {
    this.#labels = labels;
  }

  /** Adds one. The values are in the order of the labels. */
  increment(...values: string[]): void {
    const key = values.join(SEPARATOR);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  samples(): Sample[] {
    return [...this.#counts].map(([key, value]) => ({ labels: labelsOf(this.#labels, key), value }));
  }
}

interface Distribution {
  /** Number of values in each bucket, not cumulative; the last bucket has no upper bound. */
  counts: Uint32Array;
  sum: number;
}

/** How values are distributed over buckets, by one label. */
export class Histogram {
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #distributions = new Map<string, Distribution>();

  /** Bounds are the greatest values of the buckets, in ascending order. */
  constructor(label: string, bounds: readonly number[]) {
    this.#label = label;
    this.#bounds = bounds;
  }

  observe(label: string, value: number): void {
    let distribution = this.#distributions.get(label);
    if (!distribution) {
      distribution = { counts: new Uint32Array(this.#bounds.length + 1), sum: 0 };
      this.#distributions.set(label, distribution);
    }
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = index === -1 ? this.#bounds.length : index;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  samples(): Sample[] {
    return [...this.#distributions].flatMap(([value, { counts, sum }]) => {
      const labels = { [this.#label]: value };
      let count = 0;
      const buckets = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
        count += counts[index] ?? 0;
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
        return { suffix: '_bucket', labels: { ...labels, le }, value: count };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    });
  }
}

function labelsOf(names: readonly string[], key: string): Record<string, string> {
  const values = key.split(SEPARATOR);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
