import type { DeliveryView, EventView, JobView, PaymentView, RequestView } from '../../base/schema/control.ts';
import { plural } from '../../base/text/plural.ts';
import { inWords } from '../../base/text/words.ts';
import { pathOf } from '../address.ts';
import { ask, type Page } from '../api.ts';
import { listed } from '../components/parts.tsx';
import { toneOf, toneOfStatus } from '../components/state.tsx';
import { ADJUSTMENTS, COMING } from './adjustment-words.ts';
import { CAUSES, causeInWords } from './causes.ts';
import { Money } from './money.tsx';
import type { Step } from './timeline.tsx';
import { briefOf } from './told.ts';

/** What belongs to a record: the calls about it, its notifications, what is due, what happened. */
export interface Way {
  calls: readonly RequestView[];
  /** The newest. */
  deliveries: readonly DeliveryView[];
  hasMoreDeliveries: boolean;
  jobs: readonly JobView[];
  events: readonly EventView[];
}

const ENOUGH = 50;

export async function fetchWay(id: string, reference: string): Promise<Way> {
  const about = { subjectId: id, limit: ENOUGH };
  const [calls, deliveries, events] = await Promise.all([
    ask<Page<RequestView>>('GET', 'requests', { query: { reference, limit: ENOUGH } }),
    ask<Page<DeliveryView>>('GET', 'webhooks/deliveries', { query: about }),
    ask<Page<EventView>>('GET', 'event-log', { query: about }),
  ]);
  const attempts = await Promise.all(
    deliveries.items.map((delivery) =>
      ask<Page<EventView>>('GET', 'event-log', { query: { subjectId: delivery.id, limit: ENOUGH } }),
    ),
  );
  const waiting = deliveries.items.filter(({ nextAttemptAt }) => nextAttemptAt !== null).map((delivery) => delivery.id);
  const jobs = await Promise.all(
    [id, ...waiting].map((recordId) => ask<Page<JobView>>('GET', 'jobs', { query: { recordId } })),
  );
  return {
    calls: calls.items,
    deliveries: deliveries.items,
    hasMoreDeliveries: deliveries.nextCursor !== null,
    events: [events, ...attempts].flatMap(({ items }) => items),
    jobs: jobs.flatMap(({ items }) => items),
  };
}

/** What made a change, by its name where it has one. */
function decisionOf(change: Change): string {
  const { cause, decidedBy } = change;
  if (decidedBy === undefined) {
    return causeInWords(change);
  }
  return cause === 'scenario' ? `by ${decidedBy}` : `${causeInWords(change)}: ${decidedBy}`;
}

export interface Change {
  at: string;
  from: string | null;
  to: string;
  cause: string;
  code: string | null;
  description: string | null;
  /** The rule or fixture, where it came by itself. */
  decidedBy?: string;
  /** The credit of a payout that changed, by its number; left out for the record itself. */
  credit?: number;
}

/** What a paid payment went through, each with a change of its own. */
type Adjustment = NonNullable<PaymentView['adjustments']>[number];

export function stepsOf(
  { calls, deliveries, jobs, events }: Way,
  history: readonly Change[],
  { adjustments = [], currency = '' }: Partial<Pick<PaymentView, 'adjustments' | 'currency'>> = {},
): Step[] {
  const settled = history.length - adjustments.length;
  const adjusted = events.filter(({ data }) => 'left' in data).sort((one, other) => one.id - other.id);
  return [
    ...calls.map(stepOfCall),
    ...history.slice(0, settled).map((change, index) => stepOfChange(change, index, eventOf(change, events))),
    ...adjustments.map((adjustment, index) => ({
      key: `adjustment ${index}`,
      ...stepOfAdjustment(adjustment, currency, history[settled + index]?.to ?? ''),
      ...momentOf(adjusted[index]),
    })),
    ...deliveries.flatMap((delivery) => stepsOfDelivery(delivery, events)),
    ...jobs.filter(({ state }) => state === 'queued').map(stepOfJob),
  ];
}

function stepOfCall({ id, at, method, operation, path, answer, findings, ...rest }: RequestView): Step {
  const status = answer?.status ?? null;
  const wrong = findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`;
  return {
    key: id,
    at,
    place: id,
    order: (rest.events[0]?.id ?? rest.lastEvent + 1) - 0.5,
    tone: toneOfStatus(status),
    title: (
      <>
        {operation === null ? `${method} ${path}` : inWords(operation)} <a href={pathOf('requests', id)}>{id}</a>
      </>
    ),
    detail: `${status === null ? 'No answer' : `Answered ${status}`}${wrong}`,
  };
}

/** The event that told of a change. */
function eventOf({ at, from, to, credit }: Change, events: readonly EventView[]): EventView | undefined {
  const state = to.replace(/\B[A-Z]/g, '-$&').toLowerCase();
  const ending = from === null ? '.created' : credit === undefined ? `.${state}` : `.credit-${state}`;
  return events.find(
    (event) =>
      event.at === at && event.type.endsWith(ending) && (credit === undefined || event.data['number'] === credit),
  );
}

function stepOfChange(change: Change, index: number, event: EventView | undefined): Step {
  const { at, from, to, code, description, credit } = change;
  const because = from === null ? null : event?.requestId;
  return {
    key: `change ${index}`,
    at,
    ...momentOf(event),
    tone: toneOf(to),
    title: (
      <>
        {credit === undefined ? null : `Credit ${credit} `}
        <strong>{to}</strong>
      </>
    ),
    detail: (
      <>
        {from === null ? 'Created' : 'Settled'} {decisionOf(change)}
        {because ? (
          <>
            , by <a href={pathOf('requests', because)}>{because}</a>
          </>
        ) : null}
        {code === null ? null : (
          <>
            {' · '}
            <code>{code}</code> {description}
          </>
        )}
      </>
    ),
  };
}

function stepOfAdjustment(
  { kind, amount, at, cause, code, description }: Adjustment,
  currency: string,
  to: string,
): Omit<Step, 'key'> {
  return {
    at,
    tone: ADJUSTMENTS[kind].tone,
    title: (
      <>
        <strong>{ADJUSTMENTS[kind].done}</strong> <Money amount={amount} currency={currency} />
      </>
    ),
    detail: (
      <>
        State: {to}, {CAUSES[cause] ?? cause}
        {description === null ? '' : ` · ${description}`} {code === null ? null : <code>{code}</code>}
      </>
    ),
  };
}

/** Where an event stands among others, and what the history calls its moment. */
function momentOf(event: EventView | undefined): Pick<Step, 'order' | 'place'> {
  return event === undefined ? {} : { order: event.id, place: `event-${event.id}` };
}

function stepsOfDelivery(delivery: DeliveryView, events: readonly EventView[]): Step[] {
  const { id, type, forgery, attempts, state } = delivery;
  return attempts.map(({ at, status, error, ms }, index) => ({
    ...momentOf(events.find(({ subjectId, data }) => subjectId === id && data['attempt'] === index + 1)),
    key: `${id} ${index}`,
    at,
    tone: error === null ? 'good' : 'bad',
    title: (
      <>
        <strong>{briefOf({ status })}</strong> {forgery === undefined ? '' : 'forged '}
        {type} <a href={pathOf('deliveries', id)}>{id}</a>
      </>
    ),
    detail: listed(
      [
        status === null || status < 400 ? error : null,
        `in ${ms} ms`,
        attempts.length > 1 ? `attempt ${index + 1}` : null,
        state === 'failed' && index === attempts.length - 1 ? 'given up' : null,
      ],
      ', ',
    ),
  }));
}

function stepOfJob({ id, dueAt, kind, collection, recordId, what }: JobView): Step {
  return {
    key: `job ${id}`,
    at: dueAt,
    tone: 'wait',
    isAhead: true,
    title: what === null ? inWords(kind) : (COMING[what] ?? inWords(what)),
    detail: collection === 'deliveries' ? <a href={pathOf('deliveries', recordId)}>{recordId}</a> : null,
  };
}
