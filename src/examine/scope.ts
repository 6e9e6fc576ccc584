import type { Situation } from './situations/situation.ts';
import { SITUATIONS } from './situations/situations.ts';
import type { InvariantId } from './verdicts/invariant.ts';
import { INVARIANTS } from './verdicts/invariants.ts';
import { judge } from './verdicts/verdicts.ts';

export type Subject = 'shop' | 'receiver';

/** The part of a shop that is examined: all of it, or only the receiver of its notifications. */
export interface Scope {
  subject: Subject;
  situations: readonly Situation[];
  invariants: readonly InvariantId[];
  judge: typeof judge;
  /** Limits of the examination, as sentences that every report contains. */
  unseen: readonly string[];
}

export const WHOLE_SHOP: Scope = {
  subject: 'shop',
  situations: SITUATIONS,
  invariants: INVARIANTS.map(({ id }) => id),
  judge,
  unseen: [],
};
