import type { Tally } from './subject.ts';

/** Counts requests by entry point and class of the received status, to show whether enough of them are accepted. */
export class Counts {
  readonly #counts = new Map<string, Map<string, number>>();

  readonly add: Tally = (entryPoint, status) => {
    const classes = this.#counts.get(entryPoint) ?? new Map<string, number>();
    const name = status === undefined ? 'bytes' : `${Math.floor(status / 100)}xx`;
    classes.set(name, (classes.get(name) ?? 0) + 1);
    this.#counts.set(entryPoint, classes);
  };

  get total(): number {
    return this.#sum(() => true);
  }

  /** The share of the requests that were accepted, from 0 to 1. */
  get accepted(): number {
    return this.#sum((name) => name === '2xx' || name === '3xx') / this.#sum((name) => name !== 'bytes');
  }

  toString(): string {
    const entryPoints = [...this.#counts].sort(([one], [other]) => one.localeCompare(other));
    const words = entryPoints.map(([entryPoint, classes]) => {
      const sorted = [...classes].sort(([one], [other]) => one.localeCompare(other));
      return `${entryPoint} ${sorted.map(([name, count]) => `${count} ${name}`).join(' ')}`;
    });
    return `${this.total} requests, ${Math.round(this.accepted * 100)} % accepted: ${words.join(' | ')}`;
  }

  #sum(isCounted: (name: string) => boolean): number {
    const counts = [...this.#counts.values()].flatMap((classes) => [...classes]);
    return counts.reduce((sum, [name, count]) => sum + (isCounted(name) ? count : 0), 0);
  }
}
