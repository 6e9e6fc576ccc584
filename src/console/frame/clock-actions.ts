import { momentAt } from '../format.ts';
import { zone } from '../preferences.ts';
import { clock, now } from '../session-facts.ts';
import { advance, askAboutClock, goToNext, move } from './move-clock.ts';
import { wordsOfNext } from './next.ts';

/** Steps by which the clock is advanced. */
export const STEPS = [
  ['+1m', 'PT1M', 'a minute'],
  ['+1h', 'PT1H', 'an hour'],
  ['+1d', 'P1D', 'a day'],
  ['+1mo', 'P1M', 'a month'],
] as const;

interface ClockAction {
  key: string;
  label: string;
  detail?: string;
  run(): void;
}

/** When the next job is due, in words. */
export function advanceToNext(due: string): string {
  return `Advance to ${momentAt(due, now.value, zone.value).join(' ')}`;
}

/** All actions of the clock, for its menu and for the list of commands. */
export function clockActions(): ClockAction[] {
  const { mode, nextDue = null } = clock.value ?? {};
  const { kind, reference, ends } = wordsOfNext();
  return [
    ...(nextDue === null
      ? []
      : [{ key: 'next', label: advanceToNext(nextDue), detail: `${kind} ${reference} ${ends}`, run: goToNext }]),
    ...STEPS.map(([, by, words]) => ({ key: by, label: `Advance by ${words}`, run: () => void advance(by) })),
    { key: 'to', label: 'Move to a time…', run: () => askAboutClock('moment') },
    {
      key: 'idle',
      label: 'Run until only settlements are due',
      run: () => void move('POST', 'clock/run-until-idle', {}),
    },
    mode === 'frozen'
      ? { key: 'real', label: "Run with the machine's clock…", run: () => askAboutClock('run') }
      : { key: 'freeze', label: 'Freeze', run: () => void move('PUT', 'clock', { mode: 'frozen' }) },
  ];
}
