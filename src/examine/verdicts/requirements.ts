import { RACE } from '../race/races.ts';
import type { Situation } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { InvariantId } from './invariant.ts';
import { NEXT_INVARIANTS } from './next-invariants.ts';

// A set of requirements never changes once it has its date, so that a shop which met it continues to meet it. The situations
// and invariants of the next set are examined and reported, but not required yet.

/** The current set of requirements. */
export const REQUIREMENTS = '2026-12';

/** Providers do cause two situations at once; three at once are too rare to be required. */
const MAX_SITUATIONS = 2;

/** Whether the current set requires the invariant in these situations. */
export function isRequired(situations: readonly Situation[], invariant: InvariantId): boolean {
  return (
    !NEXT_INVARIANTS.some(({ id }) => id === invariant) &&
    situations.length <= MAX_SITUATIONS &&
    !situations.some(({ isNext }) => isNext)
  );
}

/** Whether a user who selects these invariants and situations by name wants those of the next set to be required, too. */
export function areNextNamed(names: readonly string[]): boolean {
  const next = [...NEXT_INVARIANTS, ...SITUATIONS.filter(({ isNext }) => isNext)].map(({ id }) => id);
  return [RACE, ...next].some((id) => names.includes(id));
}
