import { groupDigits } from '../../../base/text/group-digits.ts';
import { Shape, type Tone } from '../../components/state.tsx';

export interface BarPart {
  label: string;
  count: number;
  /** Undefined for parts that are not states, which are listed without shapes and without a bar. */
  tone: Tone | undefined;
  href: string;
}

/** Percentages: the minimum width of a part, so that a tiny one is visible, and the gap between two parts. */
const MIN_WIDTH = 0.8;
const GAP = 0.3;

/** Parts of a whole as a bar and as links. A single part has no bar, which would only be a colour. */
export function Bar({ title, parts }: { title: string; parts: readonly BarPart[] }) {
  const shown = parts.filter(({ count }) => count > 0);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const widths = shown.map(({ count }) => Math.max(MIN_WIDTH, (count / total) * (100 - GAP * (shown.length - 1))));
  const totalWidth = widths.reduce((sum, width) => sum + width, 0) + GAP * (shown.length - 1);
  const words = shown.map(({ label, count }) => `${label} ${count}`).join(', ');
  let x = 0;
  return (
    <>
      {shown.length < 2 || shown.some(({ tone }) => tone === undefined) ? null : (
        <svg
          class="bar"
          viewBox={`0 0 ${totalWidth} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${words}`}
        >
          {shown.map(({ label, tone }, index) => {
            const start = x;
            const width = widths[index] ?? 0;
            x += width + GAP;
            return <rect key={label} class={tone} x={start} y="0" width={width} height="1" />;
          })}
        </svg>
      )}
      <ul class="legend">
        {shown.map(({ label, count, tone, href }) => (
          <li key={label}>
            <a class="legend-link" href={href}>
              {tone === undefined ? null : <Shape tone={tone} />}
              {label} <b>{groupDigits(String(count))}</b>{' '}
              {count === total ? null : <span class="quiet">{percentOf(count, total)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A percentage that is never 0 for a part that exists, and never 100 if there is another part. */
function percentOf(count: number, total: number): string {
  const percent = (count / total) * 100;
  if (percent < 1) {
    return '< 1 %';
  }
  return percent > 99 && count < total ? '> 99 %' : `${Math.round(percent)} %`;
}
