/**
 * A setting; undefined if it is empty. Compose files, CI and scripts pass an unset variable on as an empty
 * text, and an empty token would be known to everybody.
 */
export function unlessEmpty<Value>(value: Value): NonNullable<Value> | undefined {
  const isEmpty = typeof value === 'string' && value.trim() === '';
  return isEmpty ? undefined : (value ?? undefined);
}
