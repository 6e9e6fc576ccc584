import type { IconName } from '../../components/icon.tsx';
import type { Tone } from '../../components/state.tsx';

/** Whether what happened is good news, and its picture, by the end of its name; the first that fits. */
const KINDS: readonly [RegExp, Tone, IconName][] = [
  [/^delivery\.succeeded$/, 'good', 'deliveries'],
  [/^delivery\.(failed|given-up)$/, 'bad', 'deliveries'],
  [/^recurring\.charged$/, 'good', 'again'],
  [/\.(paid|credit-paid|completed)$/, 'good', 'check'],
  [/\.resumed$/, 'good', 'next'],
  [/\.(failed|credit-failed|refused)$/, 'bad', 'cross'],
  [/\.(credit-returned|returned|charged-back)$/, 'bad', 'back'],
  [/\.(wrong-pin|halted|switched-off)$/, 'bad', 'warning'],
  [/\.(refunded|reversed|chargeback-reversed)$/, 'none', 'back'],
  [/\.(cancelled|dropped|deactivated)$/, 'none', 'ban'],
  [/\.expired$/, 'late', 'clock'],
  [/\.partly-paid$/, 'late', 'check'],
  [/\.report-issued$/, 'wait', 'docs'],
  [/\.revealed$/, 'wait', 'eye'],
  [/\.(updated|reloaded)$/, 'wait', 'again'],
  [/\.(created|added|registered)$/, 'wait', 'plus'],
];

export function toneOfEvent(type: string): Tone {
  return KINDS.find(([end]) => end.test(type))?.[1] ?? 'wait';
}

export function iconOfEvent(type: string): IconName {
  return KINDS.find(([end]) => end.test(type))?.[2] ?? 'events';
}
