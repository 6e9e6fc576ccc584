import { CALLS } from './calls.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PAYMENTS } from './payments.ts';
import type { Situation } from './situation.ts';

/**
 * THE TABLE of what can happen to a shop, in the order in which it is examined; the first of each kind is what happens on a good day.
 * Notifications come first: what breaks where none comes is told by that, and not by a status query that was never made.
 */
export const SITUATIONS: readonly Situation[] = [...NOTIFICATIONS, ...CALLS, ...PAYMENTS];
