import { apiAddress, baseAddress, consoleOf, pathOf, sessionName } from '../address.ts';
import { ask, type ListPage } from '../api.ts';
import { copyText } from '../copy-text.ts';
import { theme, togglePresentationMode } from '../preferences.ts';
import { sendExample } from '../screens/overview/example-call.ts';
import { fetchOverview } from '../screens/overview/fetch-overview.ts';
import { ALL_SCREENS } from '../screens/screens.ts';
import { resetSession } from '../screens/sessions/run-with-undo.ts';
import { scenarios, sessions } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';
import { clockActions } from './clock-actions.ts';
import { openOverlay } from './keys.tsx';
import { DOCUMENTATION } from './navigation.tsx';
import { selectScenario } from './scenario-picker.tsx';

export interface PaletteCommand {
  name: string;
  /** Shown after the name, but not searched: it may name a record, which has its own entry. */
  detail?: string | undefined;
  /** Additional words for the search. */
  words?: string;
  run(): void;
}

/** The buttons of the open record, read from the page, because otherwise each screen would describe its actions twice. */
export function detailCommands(): PaletteCommand[] {
  const detail = document.querySelector('.split.open .detail');
  const record = detail?.querySelector('[data-testid=record]')?.textContent ?? '';
  return [...(detail?.querySelectorAll<HTMLElement>('.button:not(:disabled)') ?? [])].map((button) => ({
    name: `${textOf(button)} · ${record}`,
    words: `${button.title} ${button.closest('fieldset')?.getAttribute('aria-label') ?? ''}`,
    run: () => button.click(),
  }));
}

function textOf({ textContent }: HTMLElement): string {
  return (textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Makes a payment as an integration would, and opens it. */
async function makePayment(route: (path: string) => void): Promise<void> {
  const { payments } = await fetchOverview();
  await sendExample(payments.count);
  const { items } = await ask<ListPage<{ id: string }>>('GET', 'payments', { query: { limit: 1 } });
  route(pathOf('payments', items[0]?.id));
}

export function commonCommands(route: (path: string) => void): PaletteCommand[] {
  return [
    { name: 'Make a payment', words: 'pay', run: () => void attempt(() => makePayment(route)) },
    ...clockActions().map(({ label, detail, run }) => ({ name: label, detail, words: 'clock', run })),
    { name: `Reset session ${sessionName}`, run: () => void resetSession(sessionName) },
    ...[...ALL_SCREENS]
      .sort((one, other) => Number(one.tab === undefined) - Number(other.tab === undefined))
      .map(({ name, label }) => ({ name: `Go to ${label}`, run: () => route(pathOf(name)) })),
    ...DOCUMENTATION.map(({ path, label }) => ({
      name: `Open ${label}`,
      run: () => window.open(`${apiAddress}${path}`, '_blank', 'noreferrer'),
    })),
    {
      name: 'Copy the base address',
      run: () => void attempt(() => copyText(baseAddress).then(() => showToast('Copied.'))),
    },
    ...(['auto', 'light', 'dark'] as const).map((each) => ({
      name: `Theme: ${each === 'auto' ? 'system' : each}`,
      run: () => {
        theme.value = each;
      },
    })),
    { name: 'Presentation mode', run: togglePresentationMode },
    { name: 'Show keyboard shortcuts', run: () => openOverlay('keys') },
    ...scenarios.value.map(({ name }) => ({ name: `Use scenario ${name}`, run: () => void selectScenario(name) })),
    ...sessions.value.map(({ name }) => ({
      name: `Switch to session ${name}`,
      run: () => location.assign(consoleOf(name)),
    })),
  ];
}
