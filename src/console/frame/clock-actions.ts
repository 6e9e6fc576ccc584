import { momentParts } from '../format.ts';
import { zone } from '../preferences.ts';
import { clock, now } from '../session-facts.ts';
import { advanceClock, askAboutClock, moveClock, moveToNextJob } from './move-clock.ts';
import { describeNextJob } from './next-job.ts';

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

export function nextJobLabel(due: string): string {
  return `Advance to ${momentParts(due, now.value, zone.value).join(' ')}`;
}

export function clockActions(): ClockAction[] {
  const { mode, nextDue = null } = clock.value ?? {};
  const { recordKind, reference, effect } = describeNextJob();
  const detail = `${recordKind} ${reference} ${effect}`;
  return [
    ...(nextDue === null ? [] : [{ key: 'next', label: nextJobLabel(nextDue), detail, run: moveToNextJob }]),
    ...STEPS.map(([, by, words]) => ({ key: by, label: `Advance by ${words}`, run: () => void advanceClock(by) })),
    { key: 'to', label: 'Move to a time…', run: () => askAboutClock('moment') },
    {
      key: 'idle',
      label: 'Run until only settlements are due',
      run: () => void moveClock('POST', 'clock/run-until-idle', {}),
    },
    mode === 'frozen'
      ? { key: 'real', label: "Run with the machine's clock…", run: () => askAboutClock('run') }
      : { key: 'freeze', label: 'Freeze', run: () => void moveClock('PUT', 'clock', { mode: 'frozen' }) },
  ];
}
