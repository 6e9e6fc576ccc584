import type { DeliveryView } from '../../base/schema/control.ts';
import { lengthOf } from '../../base/text/words.ts';
import type { Tone } from '../components/state.tsx';
import { asSaidBy, type Part } from './part.ts';

type Attempt = DeliveryView['attempts'][number];

/** What became of the notifications of a change. */
export interface Told {
  tone: Tone;
  /** In a few words. */
  brief: string;
  /** Whether something was sent, is to be sent, or neither. */
  leg: 'gone' | 'ahead' | 'never';
  /** When something was sent last. */
  lastAt: string | null;
  /** When something is sent next. */
  nextAt: string | null;
  clause: Part[];
}

type OneContext = Pick<Context, 'now' | 'rule'>;

interface Context {
  /** What the merchant was to be notified of. */
  type: string;
  now: number;
  /** The scenario's rule that says how it is delivered. */
  rule: string | undefined;
  /** There are others that were not fetched. */
  hasMore: boolean;
}

const NO_TIMES = { lastAt: null, nextAt: null } as const;
const ENDPOINTS = { screen: 'deliveries', id: 'endpoints' } as const;

/** What became of the notifications of one change: none, one, or several where there are several endpoints, or a scenario repeats them. */
export function toldOf(deliveries: readonly DeliveryView[], context: Context): Told {
  const [first, ...others] = deliveries;
  if (first === undefined) {
    const clause = [
      'No notification was sent: ',
      { text: 'no endpoint was set', ...ENDPOINTS },
      ` for ${context.type}`,
    ];
    return { tone: 'none', brief: 'No endpoint', leg: 'never', ...NO_TIMES, clause };
  }
  if (context.hasMore) {
    const clause = [
      linkTo(first, `More than ${deliveries.length} notifications`),
      ' were created; the newest are below',
    ];
    return { tone: 'none', brief: `More than ${deliveries.length}`, leg: legOf(deliveries), ...NO_TIMES, clause };
  }
  return others.length === 0 ? toldOfOne(first, context) : toldOfSeveral(deliveries, context.now);
}

/** What became of a single notification. */
export function toldOfOne(delivery: DeliveryView, context: OneContext): Told {
  const { id, attempts, nextAttemptAt: nextAt } = delivery;
  const last = attempts.at(-1);
  return {
    brief: last === undefined ? 'Not yet sent' : briefOf(last),
    leg: legOf([delivery]),
    lastAt: last?.at ?? null,
    nextAt,
    ...STATES[delivery.state](delivery, (text) => ({ text, screen: 'deliveries', id }), context),
  };
}

type Link = (text: string) => Part;
type Words = Pick<Told, 'tone' | 'clause'> & Partial<Told>;

const STATES: Readonly<
  Record<DeliveryView['state'], (delivery: DeliveryView, link: Link, context: OneContext) => Words>
> = {
  delivered({ attempts, forgery }, link) {
    const at = attempts.length > 1 ? ` at attempt ${attempts.length}` : '';
    const end = forgery === undefined ? '' : '; the notification was forged';
    return { tone: 'good', clause: ['Your endpoint ', link(`answered ${attempts.at(-1)?.status}${at}`), end] };
  },
  failed({ attempts, failure, forgery }, link) {
    const end = `; the notification was ${forgery === undefined ? 'given up' : 'forged'}`;
    return failure === undefined
      ? { tone: 'bad', clause: [...refused(attempts, link), end] }
      : { tone: 'bad', clause: ['The notification ', link('could not be sent'), ': ', { text: failure.reason }] };
  },
  held({ attempts }, link) {
    const clause = isRefused(attempts)
      ? [...refused(attempts, link), '; the notification is held until ']
      : ['The notification ', link('is held'), ' until '];
    return { tone: 'late', brief: 'Held', clause: [...clause, { text: 'its endpoint', ...ENDPOINTS }, ' is resumed'] };
  },
  dropped({ attempts, webhookBehaviour }, link, { rule }) {
    return webhookBehaviour.mode === 'dropped' && attempts.length === 0
      ? {
          tone: 'none',
          brief: 'Dropped',
          clause: ['The notification ', link('was dropped'), ' on purpose', ...asSaidBy(rule)],
        }
      : {
          tone: 'none',
          brief: 'Dropped',
          clause: ['The notification ', link('was dropped'), ': its endpoint was switched off or removed'],
        };
  },
  pending({ attempts, nextAttemptAt, webhookBehaviour: { mode } }, link, { now, rule }) {
    const ahead = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - now;
    if (isRefused(attempts)) {
      const next = ahead > 0 ? `; next try in ${lengthOf(ahead)}` : '; the next try is under way';
      return { tone: 'bad', clause: [...refused(attempts, link), next] };
    }
    if (ahead <= 0) {
      return { tone: 'wait', clause: ['The notification ', link('is being sent')] };
    }
    const late = mode === 'delayed' || mode === 'reordered' ? [', late on purpose', ...asSaidBy(rule)] : [];
    return { tone: 'wait', clause: ['The notification ', link('will be sent'), ` in ${lengthOf(ahead)}`, ...late] };
  },
};

/** The attempts that failed since the last one that did not. */
function failuresOf(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(attempts.findLastIndex(({ error }) => error === null) + 1);
}

function isRefused(attempts: readonly Attempt[]): boolean {
  return failuresOf(attempts).length > 0;
}

/** How a receiver that does not take a notification answers, and how often it did. */
function refused(attempts: readonly Attempt[], link: Link): Part[] {
  const failed = failuresOf(attempts);
  const { status = null, error } = failed.at(-1) ?? {};
  const often = timesOf(failed.length);
  if (status !== null && status >= 400 && failed.every((each) => each.status === status)) {
    return ['Your endpoint ', link(`answered ${status}${often}`)];
  }
  const isSame = failed.every((each) => each.error === error);
  const colon = isSame ? ': ' : ', the last time: ';
  return ['The notification ', link(`failed${often}`), colon, { text: error ?? 'no answer' }];
}

const TIMES = ['', '', '', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** After a verb: nothing for once, then twice, three times, and on. */
function timesOf(count: number): string {
  if (count <= 2) {
    return count === 2 ? ' twice' : '';
  }
  return TIMES[count] === undefined ? `, ${count} times` : ` ${TIMES[count]} times`;
}

export function briefOf({ status }: Pick<Attempt, 'status'>): string {
  return status === null ? 'Not delivered' : `Answered ${status}`;
}

/** What became of those that were not delivered. */
const NOT_DELIVERED: readonly [words: string, isSo: (delivery: DeliveryView) => boolean][] = [
  ['refused so far', ({ state, attempts }) => state === 'pending' && isRefused(attempts)],
  ['pending', ({ state, attempts }) => state === 'pending' && !isRefused(attempts)],
  ['held', ({ state }) => state === 'held'],
  ['given up', ({ state }) => state === 'failed'],
  ['dropped', ({ state }) => state === 'dropped'],
];

function toldOfSeveral(deliveries: readonly DeliveryView[], now: number): Told {
  const count = deliveries.length;
  const open = deliveries.filter(({ state }) => state !== 'delivered');
  if (open.length === 0) {
    const all = count === 2 ? 'Both notifications ' : `All ${count} notifications `;
    return {
      tone: 'good',
      brief: `${count} delivered`,
      leg: 'gone',
      ...NO_TIMES,
      clause: [all, linkTo(deliveries[0], 'were delivered')],
    };
  }
  const delivered = count - open.length;
  const rest = NOT_DELIVERED.map(([words, isSo]) => [open.filter(isSo).length, words] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `, ${number} ${words}`);
  const nextAt = open.map(({ nextAttemptAt }) => nextAttemptAt).reduce(earlier, null);
  const isBad = open.some(({ state, attempts }) => state === 'failed' || (state === 'pending' && isRefused(attempts)));
  return {
    tone: isBad ? 'bad' : nextAt === null ? 'none' : 'wait',
    brief: `${delivered} of ${count} delivered`,
    leg: legOf(deliveries),
    lastAt: null,
    nextAt,
    clause: [
      linkTo(open[0], `${delivered} of ${count} notifications`),
      ` ${delivered === 1 ? 'was' : 'were'} delivered${rest.join('')}`,
      nextAt === null ? '' : `; next in ${lengthOf(Date.parse(nextAt) - now)}`,
    ],
  };
}

function legOf(deliveries: readonly DeliveryView[]): Told['leg'] {
  if (deliveries.some(({ attempts }) => attempts.length > 0)) {
    return 'gone';
  }
  return deliveries.some(({ state }) => state === 'pending') ? 'ahead' : 'never';
}

function linkTo(delivery: DeliveryView | undefined, text: string): Part {
  return delivery === undefined ? text : { text, screen: 'deliveries', id: delivery.id };
}

function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one;
}
