import { sessionName } from '../../address.ts';
import { recall, remember } from '../../preferences.ts';

const KEY = `tour of ${sessionName}`;

/** Whether the tour is shown: it opens by itself on an empty session, and stays until it is closed. */
export function isTourOpen(isEmpty: boolean): boolean {
  if (isEmpty && recall(KEY) === undefined) {
    openTour();
  }
  return recall(KEY) === 'open';
}

export function openTour(): void {
  remember(KEY, 'open');
}

export function closeTour(): void {
  remember(KEY, 'closed');
}
