import { RACES } from '../race/races.ts';
import { ALONE } from './alone.ts';
import { CALLS } from './calls.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PAYMENTS } from './payments.ts';
import type { Situation } from './situation.ts';

/**
 * THE TABLE of situations. Those of the same priority (plan.ts) are examined in this order; the first of each kind has no
 * faults. Notifications are first, so that a shop that needs them is reported there, not for a status query that it never made.
 */
export const SITUATIONS: readonly Situation[] = [...NOTIFICATIONS, ...CALLS, ...PAYMENTS, ...ALONE, ...RACES];
