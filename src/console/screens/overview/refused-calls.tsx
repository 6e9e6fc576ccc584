import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf, pathOfList } from '../../address.ts';
import { joinTexts, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { RowLine } from '../../list/rows.tsx';

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
          <RowLine
            key={id}
            href={pathOf('traffic', id)}
            shape={<Shape tone={status === null ? 'late' : 'bad'} />}
            title={operation === null ? `${method} ${path}` : inWords(operation)}
            value={status ?? 'no answer'}
            detail={joinTexts([reference, outcome], ' · ')}
            at={at}
          />
        ))}
      </ol>
    </Section>
  );
}
