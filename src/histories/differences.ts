import type { HistoryEntry, Message } from '../sessions/history-entry.ts';
import type { Stop } from './player.ts';

/** The first step at which two histories are not the same. */
export interface Difference {
  /** The id of the call, or the job and how many messages it sent by then. */
  step: string;
  /** What of it differs, e.g. the body. */
  part: string;
  was: string;
  is: string;
}

/** Characters of two texts that are shown before the first that differs. */
const BEFORE = 60;

/** Both sides of a difference from shortly before the place where they part. */
export function sidesOf({ was, is }: Difference, length: number): { was: string; is: string } {
  let place = 0;
  while (place < was.length && was[place] === is[place]) {
    place += 1;
  }
  const from = place > length - BEFORE ? place - BEFORE : 0;
  const side = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + length)}${text.length > from + length ? '…' : ''}`;
  return { was: side(was), is: side(is) };
}

interface Seen {
  step: string;
  parts: readonly (readonly [part: string, text: string])[];
}

const NOTHING = 'nothing';

/** Compares what came, was answered and was sent, in its order. `stop` is where playing it came to an end before. */
export function firstDifference(
  was: readonly HistoryEntry[],
  is: readonly HistoryEntry[],
  stop?: Stop,
): Difference | undefined {
  const hasRealClock = was.some(
    (entry) => entry.kind === 'call' && (entry.clock === 'real' || entry.target.includes('/_sandbox/clock')),
  );
  const [before, now] = [seenIn(was, hasRealClock), seenIn(is, hasRealClock)];
  for (const [index, seen] of before.entries()) {
    const difference = differenceOf(seen, now[index]);
    if (difference && !(stop && now[index] === undefined)) {
      return difference;
    }
    if (difference) {
      break;
    }
  }
  if (stop) {
    return missing(stop);
  }
  const more = now[before.length];
  return more && { step: more.step, part: 'step', was: NOTHING, is: wholeOf(more) };
}

function missing({ entry, instead }: Stop): Difference {
  const step = entry.kind === 'call' ? entry.id : entry.of;
  return { step, part: entry.kind, was: `${entry.kind} ${step}`, is: instead.join(', ') || NOTHING };
}

function differenceOf(was: Seen, is: Seen | undefined): Difference | undefined {
  if (!is || is.step !== was.step) {
    return { step: was.step, part: 'step', was: wholeOf(was), is: is ? `${is.step}: ${wholeOf(is)}` : NOTHING };
  }
  for (const [index, [part, text]] of was.parts.entries()) {
    const other = is.parts[index]?.[1] ?? NOTHING;
    if (text !== other) {
      return { step: was.step, part, was: text, is: other };
    }
  }
  return undefined;
}

function wholeOf({ parts }: Seen): string {
  return parts.map(([, text]) => text).join('\n');
}

function seenIn(entries: readonly HistoryEntry[], hasRealClock: boolean): Seen[] {
  const origins = new Map(entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.id, entry.origin]] : [])));
  const counts = new Map<string, number>();
  return entries.flatMap((entry): Seen[] => {
    if (entry.kind === 'call') {
      const { id, method, target, body } = entry;
      return [
        {
          step: id,
          parts: [
            ['call', `${method} ${target}`],
            ['call body', body?.toString() ?? NOTHING],
          ],
        },
      ];
    }
    if (entry.kind === 'answer') {
      const masks = hasRealClock && origins.get(entry.of) === 'control';
      const shown = (text: string) => withoutMarks(masks ? withoutInstants(text) : text);
      return [{ step: entry.of, parts: partsOfAnswer(entry.answer, shown) }];
    }
    if (entry.kind === 'sent') {
      const count = (counts.get(entry.of) ?? 0) + 1;
      counts.set(entry.of, count);
      return [{ step: `${entry.of} (${count})`, parts: partsOfMessage(entry.message) }];
    }
    return [];
  });
}

function partsOfAnswer(
  answer: Extract<HistoryEntry, { kind: 'answer' }>['answer'],
  shown: (text: string) => string,
): Seen['parts'] {
  return answer === null
    ? [['answer', NOTHING]]
    : [
        ['status', String(answer.status)],
        ['body', shown(answer.text)],
        ['headers', shown(headersIn(answer.headers))],
      ];
}

function partsOfMessage({ url, method, headers, body }: Message): Seen['parts'] {
  return [
    ['url', url],
    ['method', method],
    ['body', body],
    ['headers', headersIn(headers)],
  ];
}

/** A line each, but for what another part says, and what is about the connection. */
function headersIn(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .filter(([name]) => !/^(?:content-length|connection)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** A form that a page shows is another one each time, and so is what says that a page has changed. */
function withoutMarks(text: string): string {
  return text
    .replace(/value="[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[\w-]+"/g, 'value="<form token>"')
    .replace(/data-version="[\w-]+"/g, 'data-version="<version>"');
}

/** Where the clock goes by the machine, what a control call says of now is not what it said then. */
function withoutInstants(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<instant>')
    .replace(/"ahead":(?:null|"[^"]*")/g, '"ahead":<duration>');
}
