import type { Tone } from '../../components/state.tsx';

const ENDINGS: readonly [RegExp, Tone][] = [
  [/\.(paid|credit-paid|succeeded|completed|charged)$/, 'good'],
  [/\.(failed|credit-failed|credit-returned|returned|given-up|wrong-pin|halted|switched-off)$/, 'bad'],
  [/\.(cancelled|dropped)$/, 'none'],
  [/\.(expired|partly-paid)$/, 'late'],
];

/** Whether what happened is good news. */
export function toneOfEvent(type: string): Tone {
  return ENDINGS.find(([ending]) => ending.test(type))?.[1] ?? 'wait';
}
