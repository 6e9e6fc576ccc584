import { Amount } from '../../record/amount.tsx';
import type { WaterfallBar } from './figures.ts';

const WIDTH = 1000;
/** Minimum width, so that a tiny amount is visible. */
const MIN_WIDTH = 3;

export function Waterfall({ bars, currency }: { bars: readonly WaterfallBar[]; currency: string }) {
  const levels = bars.flatMap(({ from, to }) => [from, to]);
  const [lowest, highest] = [Math.min(0, ...levels), Math.max(0, ...levels)];
  const place = (level: number) => ((level - lowest) / Math.max(1, highest - lowest)) * WIDTH;
  return (
    <table class="waterfall" data-testid="waterfall">
      <caption class="visually-hidden">From gross to net, in {currency}</caption>
      <thead class="visually-hidden">
        <tr>
          <th>Step</th>
          <th>Bar</th>
          <th>{currency}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, amount, from, to, isTotal }) => {
          const start = Math.min(place(from), place(to));
          const width = Math.max(MIN_WIDTH, Math.abs(place(to) - place(from)));
          return (
            <tr key={label} class={isTotal ? 'total' : ''}>
              <th scope="row" class="waterfall-name">
                {label}
              </th>
              <td class="waterfall-bar">
                <svg viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" aria-hidden="true">
                  <line class="waterfall-zero" x1={place(0)} x2={place(0)} y1="0" y2="20" />
                  <rect
                    class={isTotal ? 'bar-total' : amount < 0 ? 'bar-less' : 'bar-more'}
                    x={Math.min(start, WIDTH - width)}
                    y="3"
                    width={width}
                    height="14"
                  />
                </svg>
              </td>
              <td class="waterfall-amount">
                <Amount units={amount} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
