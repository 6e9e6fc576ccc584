// Whether a figure is stable: compares the last quarter of a run with the second, because the first is a warm-up.
import { median } from '../bench/measure.mjs';

const MEGABYTE = 1024 * 1024;

/** Each may grow by a factor and a constant. `limit` is for figures that rise and fall by design. */
const FIGURES = [
  { name: 'heap after collection', of: ({ heap }) => heap / MEGABYTE, unit: 'MB', factor: 1.05, plus: 1 },
  { name: 'resident memory', of: ({ rss }) => rss / MEGABYTE, unit: 'MB', factor: 1.15, plus: 5 },
  { name: 'file descriptors', of: ({ descriptors }) => descriptors, unit: '', factor: 1.2, plus: 5 },
  { name: 'active resources', of: ({ resources }) => resources, unit: '', factor: 1.2, plus: 10 },
  { name: 'state file', of: ({ stateFile }) => stateFile / MEGABYTE, unit: 'MB', factor: 1.2, plus: 1 },
  { name: 'journal', of: ({ journal }) => journal / MEGABYTE, unit: 'MB', limit: 300 },
  // As a multiple of the latency of a bare server in the same run, which depends less on other work on the machine.
  { name: 'answers, p50', of: ({ p50, bare50 }) => p50 / bare50, unit: '× bare', factor: 1.3, plus: 0.5 },
  { name: 'answers, p99', of: ({ p99, bare99 }) => p99 / bare99, unit: '× bare', factor: 2, plus: 10 },
];

export function verdictOf(samples) {
  const quarter = Math.floor(samples.length / 4);
  return FIGURES.flatMap(({ name, of, unit, factor, plus, limit }) => {
    const figures = (some) => some.map(of).filter(Number.isFinite);
    const [second, last] = [figures(samples.slice(quarter, 2 * quarter)), figures(samples.slice(-quarter))];
    if (second.length === 0 || last.length === 0) {
      return [];
    }
    const [before, after] = [median(second), median(last)];
    const maximum = limit ?? before * factor + plus;
    const isFlat = limit === undefined ? after <= maximum : figures(samples).every((figure) => figure <= limit);
    return [{ name, unit, before, after, maximum, isFlat }];
  });
}
