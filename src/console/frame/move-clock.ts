import { signal } from '@preact/signals';
import type { ClockView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';
import { clock, now, setClock } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';
import { describeNextJob, type NextJob } from './next-job.ts';

/** The effects of the last clock move. */
export const lastMove = signal<ClockView | undefined>(undefined);
export const isMoving = signal(false);

/** The open question about the clock, with the job that was next when it was asked, because another one may be next now. */
export const clockQuestion = signal<
  { about: 'moment' } | { about: 'run' } | { about: 'next'; due: string; job: NextJob } | undefined
>(undefined);

export async function moveClock(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  isMoving.value = true;
  const before = clock.value;
  await attempt(async () => {
    const view = await ask<ClockView>(method, path, { body });
    // A notice that arrived during the call may be newer than its answer.
    if (clock.value === before) {
      setClock(view);
    }
    lastMove.value = view;
    if (view.happened?.length === 0) {
      showToast('No records changed.');
    }
  });
  isMoving.value = false;
}

export const advanceClock = (by: string) => moveClock('POST', 'clock/advance', { by });

export async function moveTo(moment: string): Promise<void> {
  if (clock.value?.mode === 'frozen') {
    await moveClock('PUT', 'clock', { mode: 'frozen', now: moment });
    return;
  }
  const milliseconds = Math.max(0, Date.parse(moment) - now.value);
  await advanceClock(`PT${(milliseconds / 1000).toFixed(3)}S`);
}

export function askAboutClock(about: 'moment' | 'run'): void {
  clockQuestion.value = { about };
}

/** Moves to the next due job. Asks first if a payment would expire that its payer can still decide. */
export function moveToNextJob(): void {
  const due = clock.value?.nextDue ?? null;
  const job = describeNextJob();
  if (due !== null && job.isExpiry) {
    clockQuestion.value = { about: 'next', due, job };
  } else if (due !== null) {
    void moveTo(due);
  }
}
