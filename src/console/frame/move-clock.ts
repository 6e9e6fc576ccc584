import { signal } from '@preact/signals';
import type { ClockView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';
import { clock, now, setClock } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';
import { type NextJob, wordsOfNext } from './next.ts';

/** The effects of the last clock move. */
export const lastMove = signal<ClockView | undefined>(undefined);
export const isMoving = signal(false);

/** The open question about the clock, with the job that was next when it was asked, because another one may be next now. */
export const clockQuestion = signal<
  { about: 'moment' } | { about: 'run' } | { about: 'next'; due: string; job: NextJob } | undefined
>(undefined);

export async function move(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  isMoving.value = true;
  const before = clock.value;
  await attempt(async () => {
    const view = await ask<ClockView>(method, path, { body });
    // A notice that arrived during the call is at least as new as its answer.
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

export const advance = (by: string) => move('POST', 'clock/advance', { by });

export async function goTo(moment: string): Promise<void> {
  if (clock.value?.mode === 'frozen') {
    await move('PUT', 'clock', { mode: 'frozen', now: moment });
    return;
  }
  const milliseconds = Math.max(0, Date.parse(moment) - now.value);
  await advance(`PT${(milliseconds / 1000).toFixed(3)}S`);
}

export function askAboutClock(about: 'moment' | 'run'): void {
  clockQuestion.value = { about };
}

/** Moves to the next due job. Asks first if a payment would expire that its payer can still decide. */
export function goToNext(): void {
  const due = clock.value?.nextDue ?? null;
  const job = wordsOfNext();
  if (due !== null && job.endsWaiting) {
    clockQuestion.value = { about: 'next', due, job };
  } else if (due !== null) {
    void goTo(due);
  }
}
