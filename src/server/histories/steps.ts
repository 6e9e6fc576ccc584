import { NOTHING } from '../../base/compare-histories.ts';
import type { HistoryStep } from '../../base/schema/control.ts';
import type { Steps } from '../../base/steps.ts';
import { printable } from '../../base/text/printable.ts';
import { formatUtc } from '../../base/time.ts';
import type { Answer, CallEntry, HistoryEntry, Message, Origin } from '../sessions/history-entry.ts';

/** What can be seen from outside: what came, what was answered, what was sent. `shown` is an answer as it is compared. */
export function* stepsOf(
  entries: readonly HistoryEntry[],
  shown: (text: string, origin: Origin | undefined) => string = (text) => text,
): Steps<HistoryStep[]> {
  const origins = new Map<string, Origin>();
  for (const entry of entries) {
    if (entry.kind === 'call') {
      origins.set(entry.id, entry.origin);
    }
  }
  yield;
  const counts = new Map<string, number>();
  const steps: HistoryStep[] = [];
  for (const entry of entries) {
    const step = stepOf(entry, counts, (text, of) => shown(text, origins.get(of)));
    if (step) {
      steps.push(step);
    }
    yield;
  }
  return steps;
}

/** `counts`: how often each notification was sent before. */
function stepOf(
  entry: HistoryEntry,
  counts: Map<string, number>,
  shown: (text: string, of: string) => string,
): HistoryStep | undefined {
  const at = formatUtc(entry.at);
  switch (entry.kind) {
    case 'call': {
      const line = `${entry.id}  ${printable(`${entry.method} ${entry.target}`)}`;
      return { of: entry.id, name: entry.id, at, line, parts: partsOfCall(entry) };
    }
    case 'answer': {
      const { of, answer } = entry;
      const line = `${of}  answered ${answer?.status ?? 'with nothing'}`;
      return { of, name: of, at, line, parts: partsOfAnswer(answer, (text) => shown(text, of)) };
    }
    case 'sent': {
      const { of, message } = entry;
      const count = (counts.get(of) ?? 0) + 1;
      counts.set(of, count);
      const line = `${of}  ${printable(`${message.method} ${message.url}`)}`;
      return { of, name: `${of} (${count})`, at, line, parts: partsOfMessage(message) };
    }
    default:
      return undefined;
  }
}

type Parts = HistoryStep['parts'];

function partsOfCall({ method, target, body }: CallEntry): Parts {
  return [
    { name: 'call', text: `${method} ${target}` },
    { name: 'call body', text: body?.toString() ?? NOTHING },
  ];
}

function partsOfAnswer(answer: Answer | null, shown: (text: string) => string): Parts {
  return answer === null
    ? [{ name: 'answer', text: NOTHING }]
    : [
        { name: 'status', text: String(answer.status) },
        { name: 'body', text: shown(answer.text) },
        { name: 'headers', text: shown(headersIn(answer.headers)) },
      ];
}

function partsOfMessage({ url, method, headers, body }: Message): Parts {
  return [
    { name: 'url', text: url },
    { name: 'method', text: method },
    { name: 'body', text: body },
    { name: 'headers', text: headersIn(headers) },
  ];
}

/** A line each, but for what another part says, and what is about the connection. */
function headersIn(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .filter(([name]) => !/^(?:content-length|connection)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The place before the first step. */
export const START = 'start';
const EVENT = /^event-(\d+)$/;

/**
 * The entries up to a place: the end of a call (request-17), an event (event-40), or a number of entries. Undefined where the history
 * has no such place.
 */
export function entriesUntil(entries: readonly HistoryEntry[], place: string): readonly HistoryEntry[] | undefined {
  if (place === START) {
    return [];
  }
  const event = EVENT.exec(place)?.[1];
  const last =
    event === undefined
      ? lastOf(entries, place)
      : entries.findIndex((entry) => 'lastEvent' in entry && entry.lastEvent >= Number(event));
  return last < 0 || last >= entries.length ? undefined : entries.slice(0, last + 1);
}

function lastOf(entries: readonly HistoryEntry[], place: string): number {
  if (/^\d+$/.test(place)) {
    return Number(place) - 1;
  }
  const answer = entries.findIndex((entry) => entry.kind === 'answer' && entry.of === place);
  const job = entries.findLastIndex((entry) => entry.kind !== 'call' && entry.of === place);
  return answer === -1 ? job : answer;
}
