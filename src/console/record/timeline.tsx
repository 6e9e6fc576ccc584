import type { TimelineEntry, TimelineView } from '../../base/schema/generated/control.ts';
import { plural } from '../../base/text/plural.ts';
import { detailsOf } from '../../base/text/timeline-details.ts';
import { lengthInWords } from '../../base/text/words.ts';
import { pathOf } from '../address.ts';
import { Moment, Section, ZoneName } from '../components/parts.tsx';
import { Shape, type Tone, toneOfStatus } from '../components/state.tsx';
import { pathOfRecord } from '../path-of-record.ts';
import { toneOfEvent } from '../screens/traffic/event-tone.ts';
import { clock, now } from '../session-facts.ts';
import { ForkFromHere } from './fork-from-here.tsx';

type TimelineProps = Pick<TimelineView, 'entries' | 'omitted'>;

function Timeline({ entries, omitted }: TimelineProps) {
  return (
    <>
      <ol class="timeline" data-testid="timeline">
        {entries.toReversed().map((entry, index) => (
          <Line key={entries.length - index} entry={entry} />
        ))}
      </ol>
      {omitted === 0 ? null : (
        <p class="hint">{plural(omitted, 'older call or delivery', 'older calls and deliveries')} not shown.</p>
      )}
    </>
  );
}

export function TimelineSection(timeline: TimelineProps) {
  return (
    <Section
      title="Timeline"
      extra={
        <span class="quiet">
          newest step first, times in <ZoneName />
        </span>
      }
    >
      {timeline.entries.every((entry) => forkStepOf(entry) === undefined) ? null : (
        <p class="hint hint-above">
          Fork from here opens a copy of this session as it was after that step. Its notifications are held back.
        </p>
      )}
      <Timeline {...timeline} />
    </Section>
  );
}

export function isCall({ kind }: TimelineEntry): boolean {
  return kind === 'request.answered';
}

function toneOfEntry(entry: TimelineEntry): Tone {
  return isCall(entry) ? toneOfStatus(entry.status ?? null) : toneOfEvent(entry.kind);
}

function Line({ entry }: { entry: TimelineEntry }) {
  const { at, title, cause, deliveryId, requestId, isAhead = false } = entry;
  const details = detailsOf(entry);
  const step = forkStepOf(entry);
  const tone = toneOfEntry(entry);
  return (
    <li class={isAhead ? 'ahead' : ''}>
      <span class="timeline-time">
        <Moment at={at} />
      </span>
      <span class="timeline-shape">{isAhead ? <span class="timeline-ring" /> : <Shape tone={tone} />}</span>
      <div>
        <p class="timeline-title">
          {isAhead || isCall(entry) ? title : <strong>{title}</strong>}
          {isAhead && clock.value !== undefined ? (
            <span class="timeline-in"> in {lengthInWords(Date.parse(at) - now.value)}</span>
          ) : null}{' '}
          {deliveryId === undefined ? null : <a href={pathOf('traffic', deliveryId)}>{deliveryId}</a>}
          {requestId === undefined ? null : <a href={pathOf('traffic', requestId)}>{requestId}</a>}
        </p>
        {cause === undefined && details === '' ? null : (
          <p class="timeline-detail">
            {cause === undefined ? null : <Cause cause={cause} />}
            {cause === undefined || details === '' ? '' : ': '}
            <bdi>{details}</bdi>
          </p>
        )}
      </div>
      {step === undefined ? null : <ForkFromHere step={step} />}
    </li>
  );
}

function Cause({ cause: { words, collection, id } }: { cause: NonNullable<TimelineEntry['cause']> }) {
  const path = pathOfRecord(collection ?? null, id ?? null);
  return path === undefined ? <span>{words}</span> : <a href={path}>{words}</a>;
}

/** The name that histories give to an entry's step, after which a session can be forked; undefined for other entries. */
function forkStepOf(entry: TimelineEntry): string | undefined {
  const event = entry.eventId === undefined ? undefined : `event-${entry.eventId}`;
  return isCall(entry) ? entry.requestId : event;
}
