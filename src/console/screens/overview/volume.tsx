import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { plural } from '../../../base/text/plural.ts';
import { lengthInWords } from '../../../base/text/words.ts';
import { pathOfList } from '../../address.ts';
import { Section } from '../../components/parts.tsx';
import { dayAndTime, momentParts, zoneName } from '../../format.ts';
import { zone } from '../../preferences.ts';
import { channelClass, channelName, channelsInOrder } from '../../record/channel-names.ts';
import { now } from '../../session-facts.ts';

/** Minimum number of columns, because fewer would be too wide. */
const MIN_COLUMNS = 24;
/** In units of the chart: the distance between columns, the width of a column, and the height of the highest one. */
const [COLUMN_STEP, COLUMN_WIDTH, CHART_HEIGHT] = [10, 8, 100];

type Intervals = OverviewView['volume']['intervals'];

export function VolumeOverTime({ overview }: { overview: Pick<OverviewView, 'payments' | 'volume'> }) {
  const { volume, payments } = overview;
  const { seconds, intervals } = volume;
  const [first] = intervals;
  const last = intervals.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const channels = channelsInOrder(Object.keys(payments.channels));
  const start = Date.parse(first.at);
  const columnOf = (at: string) => Math.round((Date.parse(at) - start) / (seconds * 1000));
  const columnCount = Math.max(columnOf(last.at) + 1, MIN_COLUMNS);
  const highest = Math.max(...intervals.map(totalOf));
  const end = start + columnCount * seconds * 1000;
  return (
    <Section
      title="Payments by channel"
      level={2}
      extra={
        <span class="quiet">
          {intervals.length === 1 ? 'all within' : 'each column is'} {lengthInWords(seconds * 1000)}
        </span>
      }
    >
      {intervals.length === 1 ? null : (
        <>
          <div class="plot">
            <span class="plot-most" aria-hidden="true">
              {groupDigits(plural(highest, 'payment'))}
            </span>
            <svg
              viewBox={`0 0 ${columnCount * COLUMN_STEP} ${CHART_HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={wordsOf(intervals, payments.count)}
            >
              {intervals.map((interval) => (
                <Column
                  key={interval.at}
                  interval={interval}
                  column={columnOf(interval.at)}
                  channels={channels}
                  highest={highest}
                />
              ))}
            </svg>
          </div>
          <p class="plot-axis quiet" aria-hidden="true">
            <span>{axisLabel(start)}</span>
            <span>{axisLabel(end)}</span>
          </p>
        </>
      )}
      <ul class="legend">
        {channels.map((channel) => (
          <li key={channel}>
            <a class="legend-link" href={pathOfList('payments', `channel:${channel}`)}>
              <span class={`swatch ${channelClass(channel)}`} />
              {channelName(channel)} <b>{groupDigits(String(payments.channels[channel]))}</b>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface ColumnProps {
  interval: Intervals[number];
  column: number;
  channels: readonly string[];
  highest: number;
}

function Column({ interval, column, channels, highest }: ColumnProps) {
  const parts = channels.filter((channel) => interval.channels[channel] !== undefined);
  let y = CHART_HEIGHT;
  return (
    <g>
      <title>{`${momentParts(interval.at, now.value, zone.value).join(' ')}: ${plural(totalOf(interval), 'payment')}`}</title>
      {parts.map((channel) => {
        const height = ((interval.channels[channel] ?? 0) / highest) * CHART_HEIGHT;
        y -= height;
        return (
          <rect
            key={channel}
            class={channelClass(channel)}
            x={column * COLUMN_STEP + (COLUMN_STEP - COLUMN_WIDTH) / 2}
            y={y}
            width={COLUMN_WIDTH}
            height={height}
          />
        );
      })}
    </g>
  );
}

function totalOf({ channels }: Intervals[number]): number {
  return Object.values(channels).reduce((sum, payments) => sum + payments, 0);
}

/** With the date, because the chart may cover several days. */
function axisLabel(at: number): string {
  const { day, time } = dayAndTime(at, zone.value);
  return `${day} ${time.slice(0, 5)} ${zoneName(at, zone.value)}`;
}

/** The content of the chart as text, for screen readers. */
function wordsOf(intervals: Intervals, count: number): string {
  const busiest = intervals.reduce((one, other) => (totalOf(other) > totalOf(one) ? other : one));
  const partsOf = ({ at }: Intervals[number]) => dayAndTime(Date.parse(at), zone.value);
  const times = intervals.map(partsOf).map(({ day, time }) => `${day} ${time}`);
  const [from, to] = [times[0], times.at(-1)];
  const span = from === to ? `at ${from}` : `from ${from} to ${to}`;
  return `Payments over time: ${count} ${span}, at most ${totalOf(busiest)} in one column, at ${partsOf(busiest).time}`;
}
