import type { ComponentChildren } from 'preact';
import { lengthOf } from '../../base/text/words.ts';
import { Moment } from '../components/parts.tsx';
import { Shape, type Tone } from '../components/state.tsx';
import { clock, now } from '../facts.ts';
import { GoBack } from './go-back.tsx';

/** Something on the way of a record. */
export interface Step {
  key: string;
  at: string;
  /** The number of the event that it is, or that it came before or after: of what stands at one moment, the lower comes first. */
  order?: number;
  tone: Tone;
  title: ComponentChildren;
  detail?: ComponentChildren;
  /** What the session's history calls it, so that one can go back to it. */
  place?: string;
  /** Still to come. */
  isAhead?: boolean;
}

const LAST = Number.MAX_SAFE_INTEGER;

/** What happened to a record and what is still to come, on the session's clock. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  const sorted = [...steps].sort(
    (one, other) => one.at.localeCompare(other.at) || (one.order ?? LAST) - (other.order ?? LAST),
  );
  return (
    <ol class="timeline" data-testid="timeline">
      {sorted.map(({ key, at, tone, title, detail, place, isAhead = false }) => (
        <li key={key} class={isAhead ? 'ahead' : ''}>
          <span class="timeline-time">
            <Moment at={at} />
          </span>
          <span class="timeline-shape">{isAhead ? <span class="timeline-ring" /> : <Shape tone={tone} />}</span>
          <div>
            <p class="timeline-title">
              {title}
              {isAhead && clock.value !== undefined ? (
                <span class="timeline-in"> in {lengthOf(Date.parse(at) - now.value)}</span>
              ) : null}
            </p>
            {detail === undefined || detail === null ? null : <p class="timeline-detail">{detail}</p>}
          </div>
          {place === undefined ? null : <GoBack place={place} />}
        </li>
      ))}
    </ol>
  );
}
