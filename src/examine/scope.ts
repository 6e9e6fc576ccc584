import { INVARIANTS, type InvariantId } from './invariants.ts';
import type { Situation } from './situations/situation.ts';
import { SITUATIONS } from './situations/situations.ts';
import { judge } from './verdicts.ts';

export type Subject = 'shop' | 'receiver';

/** How much of a shop is examined: all of it, or the receiver of its notifications alone. */
export interface Scope {
  subject: Subject;
  /** What can happen to it. */
  situations: readonly Situation[];
  /** What can be judged. */
  invariants: readonly InvariantId[];
  judge: typeof judge;
  /** What cannot be seen, in sentences that stand in every report. */
  unseen: readonly string[];
}

export const WHOLE_SHOP: Scope = {
  subject: 'shop',
  situations: SITUATIONS,
  invariants: INVARIANTS.map(({ id }) => id),
  judge,
  unseen: [],
};
