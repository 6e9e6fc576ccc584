import { apiOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { fetchSessions } from '../../session-facts.ts';
import { attempt, showToast } from '../../toasts.ts';

/** Replaces or deletes the data of a session, which can be undone for a while. */
export async function runWithUndo(name: string, words: string, change: () => Promise<unknown>): Promise<void> {
  await attempt(async () => {
    const state = await ask<object>('GET', `${apiOf(name)}state`);
    await change();
    await fetchSessions();
    showToast(words, {
      label: 'Undo',
      run: () =>
        void attempt(async () => {
          await ask('PUT', `${apiOf(name)}state`, { body: state });
          await fetchSessions();
          showToast(
            `Session ${name} has its records, clock and scenario back. Its logged requests and events are gone.`,
          );
        }),
    });
  });
}

export function resetSession(name: string): Promise<void> {
  return runWithUndo(name, `Session ${name} was reset.`, () => ask('POST', `${apiOf(name)}reset`));
}

export function deleteSession(name: string): Promise<void> {
  return runWithUndo(name, `Session ${name} was deleted.`, () => ask('DELETE', `sessions/${encodeURIComponent(name)}`));
}
