import { pathOfList } from '../address.ts';
import { Section } from '../components/parts.tsx';
import { TONES } from '../components/state.tsx';
import type { FollowedList } from '../live-list.ts';
import { Bar } from '../screens/overview/bar.tsx';
import type { Screen } from '../screens/screens.ts';
import { type FilterButton, labelButtons } from './search-field.tsx';

interface ListSummaryProps {
  screen: Screen;
  title: string;
  filters: readonly string[];
  filterButtons: readonly FilterButton[];
  list: FollowedList<object> | undefined;
}

/** The number of loaded rows for each button of the list's first filter. */
export function ListSummary({ screen, title, filters, filterButtons, list }: ListSummaryProps) {
  const items = list?.items.value ?? [];
  return items.length === 0 ? null : (
    <div class="detail-content overview">
      <Section
        title={title}
        level={2}
        extra={
          <span class="quiet">
            {list?.cursor.value === null ? `${items.length} in all` : `the newest ${items.length}`}
          </span>
        }
      >
        <Bar
          title={title}
          parts={labelButtons(filters, filterButtons).map(({ filter, value, label }) => ({
            label,
            count: items.filter((item) => String(Reflect.get(item, filter)) === value).length,
            tone: TONES[value === 'true' || value === 'false' ? label : value],
            href: pathOfList(screen, `${filter}:${value}`),
          }))}
        />
      </Section>
    </div>
  );
}
