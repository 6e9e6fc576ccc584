import { sameScreenIn, sessionName } from '../address.ts';
import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { fetchSessions, sessions } from '../session-facts.ts';
import { attempt } from '../toasts.ts';

export function ForkFromHere({ step }: { step: string }) {
  const fork = () =>
    attempt(async () => {
      await fetchSessions();
      const as = newForkName();
      await ask('POST', `sessions/${encodeURIComponent(sessionName)}/fork`, { body: { at: step, as } });
      location.assign(sameScreenIn(as));
    });
  return (
    <button type="button" class="bare fork" aria-label={`Fork from here, after ${step}`} onClick={fork}>
      <Icon name="fork" />
      Fork from here
    </button>
  );
}

function newForkName(): string {
  const usedNames = new Set(sessions.value.map(({ name }) => name));
  let number = 1;
  while (usedNames.has(`what-if-${number}`)) {
    number += 1;
  }
  return `what-if-${number}`;
}
