import { Refusal } from '../../base/refusal.ts';

/**
 * A cursor: the name of a list, and the sort key of the last item of a page. The next page begins with the following key,
 * even if the item with this key no longer exists.
 */
export function cursorAt(list: string, key: string): string {
  return Buffer.from(`${list} ${key}`).toString('base64url');
}

/** Throws `invalid-field` for a cursor of another list, and for any other text. */
export function keyInCursor(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const key = text.slice(list.length + 1);
  return cursorAt(list, key) === cursor ? key : refuse(cursor);
}

export function numberInCursor(list: string, cursor: string): number {
  const key = keyInCursor(list, cursor);
  return /^\d{1,15}$/.test(key) ? Number(key) : refuse(cursor);
}

/** A number as a key whose text order is the numeric order. */
export function keyOfNumber(number: number): string {
  return String(number).padStart(16, '0');
}

function refuse(cursor: string): never {
  throw new Refusal(
    'invalid-field',
    `the cursor ${JSON.stringify(cursor)} does not belong to this list; start without a cursor`,
  );
}
