/**
 * A setting; undefined if it is empty or blank. Compose files, CI and scripts pass an unset variable as an empty text, and an empty
 * token would be no secret.
 */
export function unlessEmpty<Value>(value: Value): NonNullable<Value> | undefined {
  const isEmpty = typeof value === 'string' && value.trim() === '';
  return isEmpty ? undefined : (value ?? undefined);
}
