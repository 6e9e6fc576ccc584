import type { OverviewView } from '../../../base/schema/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf, pathOfList } from '../../address.ts';
import { joinTexts, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';

/** The calls that came to nothing last. */
export function RefusedCalls({ calls: { refused, lastRefused } }: { calls: OverviewView['calls'] }) {
  return (
    <Section
      title="Last refused calls"
      level={2}
      extra={refused === 0 ? null : <a href={pathOfList('traffic', 'refused:true')}>View all</a>}
    >
      {refused === 0 ? <p class="hint">No refused calls.</p> : null}
      <ol class="refused">
        {lastRefused.map(({ id, at, status, operation, method, path, reference, outcome }) => (
          <li key={id}>
            <a class="row" href={pathOf('traffic', id)}>
              <span class="row-shape">
                <Shape tone={status === null ? 'late' : 'bad'} />
              </span>
              <span class="row-title">{operation === null ? `${method} ${path}` : inWords(operation)}</span>
              <span class="row-value">{status ?? 'no answer'}</span>
              <span class="row-detail">{joinTexts([reference, outcome], ' · ')}</span>
              <span class="row-time">
                <Moment at={at} />
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}
