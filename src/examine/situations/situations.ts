import { CALLS } from './calls.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PAYMENTS } from './payments.ts';
import type { Situation } from './situation.ts';

/** THE TABLE of what can happen to a shop. The first of each kind is what happens on a good day. */
export const SITUATIONS: readonly Situation[] = [...CALLS, ...NOTIFICATIONS, ...PAYMENTS];
