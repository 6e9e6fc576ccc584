import { effect, signal } from '@preact/signals';
import type { Zone } from './format.ts';

export type Theme = 'auto' | 'light' | 'dark';

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(`sandbox-console ${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`sandbox-console ${key}`, value);
  } catch {
    // Storage may be disabled in the browser.
  }
}

const isTheme = (text: string | undefined): text is Theme => text === 'auto' || text === 'light' || text === 'dark';
const storedTheme = recall('theme');

export const theme = signal<Theme>(isTheme(storedTheme) ? storedTheme : 'auto');
/** Presentation mode has large text, which can be read from a distance. */
export const isPresentationMode = signal(recall('room') === 'true');
export const zone = signal<Zone>(recall('zone') === 'own' ? 'own' : 'utc');

export function togglePresentationMode(): void {
  isPresentationMode.value = !isPresentationMode.value;
}

export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    remember('theme', theme.value);
  });
  effect(() => {
    document.documentElement.classList.toggle('for-room', isPresentationMode.value);
    remember('room', String(isPresentationMode.value));
  });
  effect(() => remember('zone', zone.value));
}
