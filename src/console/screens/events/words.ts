import type { Tone } from '../../components/state.tsx';

const ENDINGS: readonly [RegExp, Tone][] = [
  [/\.(paid|succeeded|completed|charged)$/, 'good'],
  [/\.(failed|given-up|wrong-pin)$/, 'bad'],
  [/\.(cancelled|dropped)$/, 'none'],
  [/\.expired$/, 'late'],
];

/** Whether what happened is good news. */
export function toneOfEvent(type: string): Tone {
  return ENDINGS.find(([ending]) => ending.test(type))?.[1] ?? 'wait';
}
