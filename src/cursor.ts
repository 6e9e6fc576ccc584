import { Refusal } from './refusal.ts';

/** The refusal of a cursor that no page of the list ended with. */
export function foreignCursor(cursor: string): Refusal {
  return new Refusal('invalid-field', `the cursor ${JSON.stringify(cursor)} is not in this list; begin without one`);
}

/** The number that a cursor is, in lists whose pages end with numbers. Throws Refusal for any other text. */
export function numberInCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) {
    throw foreignCursor(cursor);
  }
  return Number(cursor);
}
