import { type Difference, firstDifferentStep, NOTHING } from '../../base/compare-histories.ts';
import type { Steps } from '../../base/steps.ts';
import type { HistoryEntry, Origin } from '../sessions/history-entry.ts';
import type { Stop } from './player.ts';
import { stepsOf } from './steps.ts';

/** The first step that was not the same when a history was played. `stop` is where playing it came to an end before. */
export function* firstDifference(
  was: readonly HistoryEntry[],
  is: readonly HistoryEntry[],
  stop?: Stop,
): Steps<Difference | undefined> {
  const hasRealClock = was.some(
    (entry) => entry.kind === 'call' && (entry.clock === 'real' || entry.target.includes('/_sandbox/clock')),
  );
  const shown = (text: string, origin: Origin | undefined) =>
    withoutMarks(hasRealClock && origin === 'control' ? withoutInstants(text) : text);
  const [before, now] = [yield* stepsOf(was, shown), yield* stepsOf(is, shown)];
  const found = firstDifferentStep(before, now);
  const isMissing = found === undefined || (stop && now[found.index] === undefined);
  return isMissing && stop ? missing(stop) : found?.difference;
}

function missing({ entry, instead }: Stop): Difference {
  const step = entry.kind === 'call' ? entry.id : entry.of;
  return { step, part: entry.kind, was: `${entry.kind} ${step}`, is: instead.join(', ') || NOTHING };
}

/** A form that a page shows is another one each time, and so is what says that a page has changed. */
function withoutMarks(text: string): string {
  return text
    .replace(/value="[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[\w-]+"/g, 'value="<form token>"')
    .replace(/data-version="[\w-]+"/g, 'data-version="<version>"');
}

/** Where the clock goes by the machine, what a control call says of now is not what it said then. */
export function withoutInstants(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<instant>')
    .replace(/"ahead":(?:null|"[^"]*")/g, '"ahead":<duration>');
}
