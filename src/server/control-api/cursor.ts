import { Refusal } from '../../base/refusal.ts';

/**
 * Names a list and a place in its order, the sort key of an item. The page after it begins with the next key that there is,
 * whether that item still is or not.
 */
export function cursorAt(list: string, key: string): string {
  return Buffer.from(`${list} ${key}`).toString('base64url');
}

/** The sort key in a cursor. Throws Refusal for one of another list, and for any other text. */
export function keyIn(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const key = text.slice(list.length + 1);
  return cursorAt(list, key) === cursor ? key : refuse(cursor);
}

/** The same in lists whose keys are numbers. */
export function numberIn(list: string, cursor: string): number {
  const key = keyIn(list, cursor);
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
