import type { EventView } from '../../../base/schema/control.ts';
import { pathOf } from '../../address.ts';
import { ask, type Page } from '../../api.ts';
import { JsonView } from '../../components/json-view.tsx';
import { Empty, Facts, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { inWords } from '../../format.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { RecordHead } from '../../record/head.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { pathOfRecord } from '../../records.ts';
import { onNotice } from '../../stream.ts';
import { toneOfEvent } from './words.ts';

const DEFINITION: ListDefinition<EventView> = {
  screen: 'events',
  title: 'Events',
  one: 'an event',
  source: {
    path: 'event-log',
    collection: null,
    take: (_add, refresh) => onNotice('event', refresh),
  },
  filters: ['type', 'collection', 'subjectId', 'requestId'],
  offered: [
    'payment.created',
    'payment.paid',
    'payment.failed',
    'payment.expired',
    'delivery.succeeded',
    'delivery.failed',
  ],
  row: ({ type, subjectId, requestId, at, id }) => ({
    shape: <Shape tone={toneOfEvent(type)} />,
    title: inWords(type),
    detail: [subjectId, requestId === null ? null : `by ${requestId}`].filter((each) => each !== null).join(' · '),
    value: <span class="currency">{id}</span>,
    at,
  }),
  empty: (
    <Empty title="Nothing has happened yet">
      <p>Whatever becomes of a record is an event: creation, settlement, expiry, notification.</p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="events" load={fetchEvent} show={showEvent} />,
};

export function Events() {
  return <ListScreen definition={DEFINITION} />;
}

async function fetchEvent(id: string): Promise<EventView | undefined> {
  // The log has a page or two of this size.
  let cursor: string | undefined;
  do {
    const page: Page<EventView> = await ask('GET', 'event-log', { query: { limit: 1000, cursor } });
    const found = page.items.find((event) => String(event.id) === id);
    if (found) {
      return found;
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return undefined;
}

function showEvent(event: EventView | undefined) {
  if (event === undefined) {
    return (
      <Empty title="This event is not remembered any more">
        <p>The sandbox keeps the last thousand.</p>
      </Empty>
    );
  }
  const { id, type, at, collection, subjectId, requestId, data } = event;
  const path = pathOfRecord(collection, subjectId);
  return (
    <>
      <RecordHead kind={`Event ${id}`} name={inWords(type)} detail={<code>{type}</code>} />
      <Section title="Facts">
        <Facts
          facts={[
            ['Time', <Moment key="at" at={at} />],
            ['Happened to', path === undefined ? subjectId : <a href={path}>{subjectId}</a>],
            ['Caused by', requestId === null ? 'no call' : <a href={pathOf('requests', requestId)}>{requestId}</a>],
          ]}
        />
      </Section>
      <Section title="Data">
        <JsonView value={data} label="Data" />
      </Section>
    </>
  );
}
