import { signal } from '@preact/signals';
import type { ClockView } from '../../base/schema/control.ts';
import { ask } from '../api.ts';
import { clock, now, setClock } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';

/** The effects of the last move of the clock. */
export const lastMove = signal<ClockView | undefined>(undefined);
export const isMoving = signal(false);

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
