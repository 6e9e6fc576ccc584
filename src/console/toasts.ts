import { signal } from '@preact/signals';
import { messageOf } from './api.ts';

export interface Toast {
  key: number;
  tone: 'good' | 'bad' | 'late';
  text: string;
  action?: { label: string; run(): void };
}

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6000;
/** For messages with a button, such as Undo, and for announcements. */
const SHOWN_LONG_MS = 30_000;
let lastKey = 0;

export function showToast(text: string, action?: Toast['action']): void {
  show({ tone: 'good', text, ...(action ? { action } : {}) });
}

/** A message that did not result from an action of the user, and is therefore shown longer. */
export function announce(text: string): void {
  show({ tone: 'late', text }, SHOWN_LONG_MS);
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

/** The button that is being pressed, and buttons whose action is running. */
let pressedButton: Element | undefined;
const busyButtons = new WeakSet<Element>();

// Otherwise a double click would run the action twice.
addEventListener(
  'click',
  (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button && busyButtons.has(button)) {
      event.stopImmediatePropagation();
      event.preventDefault();
      return;
    }
    pressedButton = button ?? undefined;
    setTimeout(() => {
      pressedButton = undefined;
    });
  },
  true,
);

/** Runs an action, and shows the error if it fails. Resolves with whether it succeeded. */
export function attempt(work: () => Promise<unknown>): Promise<boolean> {
  return runExclusively(async () => {
    try {
      await work();
      return true;
    } catch (error) {
      show({ tone: 'bad', text: messageOf(error) });
      return false;
    }
  });
}

/** Runs an action of the user. Until it has ended, further clicks on the pressed button are ignored. */
export async function runExclusively<Result>(work: () => Promise<Result>): Promise<Result> {
  const button = pressedButton;
  if (button) {
    busyButtons.add(button);
  }
  try {
    return await work();
  } finally {
    if (button) {
      busyButtons.delete(button);
    }
  }
}

/** Returns a function that reports whether the user is still on this screen, because an answer may take long. */
export function trackScreen(): () => boolean {
  const { pathname, search } = location;
  return () => location.pathname === pathname && location.search === search;
}

function show(toast: Omit<Toast, 'key'>, shownMs = toast.action ? SHOWN_LONG_MS : SHOWN_MS): void {
  lastKey += 1;
  const key = lastKey;
  toasts.value = [...toasts.value.slice(-2), { ...toast, key }];
  setTimeout(() => dismiss(key), shownMs);
}
