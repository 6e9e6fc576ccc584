import type { Tone } from '../../components/state.tsx';

/** The tone of an event, by its name or the end of it; the first match counts. */
const TONES: readonly [RegExp, Tone][] = [
  [/^(delivery\.succeeded|recurring\.charged)$/, 'good'],
  [/^delivery\.(failed|given-up)$/, 'bad'],
  [/\.(paid|credit-paid|completed|resumed)$/, 'good'],
  [/\.(failed|credit-failed|refused|wrong-pin|halted|switched-off)$/, 'bad'],
  [/\.(credit-returned|returned)$/, 'returned'],
  [/\.charged-back$/, 'charged-back'],
  [/\.refunded$/, 'refunded'],
  [/\.(reversed|chargeback-reversed)$/, 'reversed'],
  [/\.(cancelled|dropped|deactivated)$/, 'none'],
  [/\.expired$/, 'late'],
  [/\.partly-paid$/, 'partial'],
];

export function toneOfEvent(type: string): Tone {
  return TONES.find(([pattern]) => pattern.test(type))?.[1] ?? 'wait';
}
