import type { ClockView, EventView } from '../../base/schema/generated/control.ts';
import { plural } from '../../base/text/plural.ts';
import { inWords } from '../../base/text/words.ts';
import { pathOfList } from '../address.ts';
import { Icon } from '../components/icon.tsx';
import { Moment } from '../components/parts.tsx';
import { Shape } from '../components/state.tsx';
import { pathOfRecord } from '../path-of-record.ts';
import { toneOfEvent } from '../screens/traffic/event-tone.ts';

/** Maximum number of listed events; the traffic screen lists the others. */
const MAX_EVENTS = 12;

export function ClockEffects({ view, onClose }: { view: ClockView; onClose(): void }) {
  const { happened = [], more = 0 } = view;
  const count = happened.length + more;
  return (
    <aside class="happened" aria-label="What happened">
      <header>
        <h2>{plural(count, 'event')}</h2>
        <button type="button" class="bare" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <ul class="tally">
        {countByType(happened).map(([type, times]) => (
          <li key={type}>
            <Shape tone={toneOfEvent(type)} /> {times} × {inWords(type)}
          </li>
        ))}
      </ul>
      <ol>
        {firstEvents(happened).map((event) => (
          <li key={event.id}>
            <Moment at={event.at} />
            <span>{inWords(event.type)}</span>
            <Subject event={event} />
          </li>
        ))}
      </ol>
      {count > MAX_EVENTS ? (
        <p class="hint">
          and {plural(count - MAX_EVENTS, 'more', 'more')}: <a href={pathOfList('traffic', 'kind:event')}>all events</a>
        </p>
      ) : null}
    </aside>
  );
}

function Subject({ event: { collection, subjectId } }: { event: EventView }) {
  const path = pathOfRecord(collection, subjectId);
  return path === undefined ? <span>{subjectId}</span> : <a href={path}>{subjectId}</a>;
}

/** Delivery attempts come last, because there may be hundreds of them for a few records. */
function firstEvents(events: readonly EventView[]): EventView[] {
  const rankOf = ({ collection }: EventView) => Number(collection === 'deliveries');
  return [...events].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, MAX_EVENTS);
}

function countByType(events: readonly EventView[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of events) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}
