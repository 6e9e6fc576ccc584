import { signal } from '@preact/signals';
import { messageOf } from './api.ts';

/** A short message about what was just done. */
export interface Toast {
  key: number;
  tone: 'good' | 'bad' | 'late';
  text: string;
  action?: { label: string; run(): void };
}

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6000;
/** Something to undo is looked at longer. */
const SHOWN_LONG_MS = 30_000;
let last = 0;

export function say(text: string, action?: Toast['action']): void {
  show({ tone: 'good', text, ...(action ? { action } : {}) });
}

/** Something that nobody here asked for, and so is looked at longer. */
export function announce(text: string): void {
  show({ tone: 'late', text }, SHOWN_LONG_MS);
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

/** Runs something that a person asked for, and shows why it was refused. Resolves with whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    show({ tone: 'bad', text: messageOf(error) });
    return false;
  }
}

function show(toast: Omit<Toast, 'key'>, shownMs = toast.action ? SHOWN_LONG_MS : SHOWN_MS): void {
  last += 1;
  const key = last;
  toasts.value = [...toasts.value.slice(-2), { ...toast, key }];
  setTimeout(() => dismiss(key), shownMs);
}
